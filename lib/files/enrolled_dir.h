// enrolled/: tenants.json and one <id>.token for each box that enrolled itself. The registrar adds
// and renames, losos-edge and `enrol forget` remove; all of them under enrolled/.lock, re-reading
// what is there. Both read it. losos-registrar(8).
#pragma once

#include "base/file.h"
#include "core/roster.h"
#include "core/tenant.h"
#include "core/token.h"

#include <cstddef>
#include <string>
#include <vector>

namespace losos::enrolled_dir {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// Everybody enrolled, in the order of enrolment, and a sentence for each row or token that is
/// faulty. A row with a faulty token is listed without one.
struct Loaded {
    std::vector<EnrolledWithToken> tenants;
    std::vector<std::string> faults;
};

/// A box that enrols, with the token its first contact fixed.
struct Newcomer {
    EnrolledTenant tenant;
    Token token;
};

/// What one commit of the registrar changes.
struct Batch {
    std::vector<Newcomer> added;
    std::vector<EnrolledTenant> renamed;
};

/// What the lock showed meanwhile.
struct Applied {
    /// Boxes that were to be renamed and had been forgotten: they stay forgotten.
    std::vector<DnsLabel> gone;
};

/// Whether there was such a box.
enum class Forgotten { forgotten, unknown };

/// Makes the directory, and removes what an interrupted writer left: temporary files, and tokens
/// without a row. Errc::unusable when tenants.json does not parse; nothing is removed then.
Result<void> prepare(const std::string& directory);

/// An absent directory or file is nobody. Errc::unusable when tenants.json does not parse.
Result<Loaded> load(const std::string& directory);

/// Applies a whole batch with one write of tenants.json, every token before it. On failure all of
/// the batch or none of it is on disk; tokens without a row are removed again where possible.
Result<Applied> apply(const std::string& directory, const Batch& batch);

/// Removes the row, then the token.
Result<Forgotten> forget(const std::string& directory, const DnsLabel& id);

/// The file the registrar watches for changes of others.
std::string tenants_path(const std::string& directory);

/// Where the token of a box stands.
std::string token_path(const std::string& directory, const DnsLabel& id);

} // namespace losos::enrolled_dir
