// identity.key: the private key of an edge's identity, or of the root; <name>.pub beside a root's.
// `losos-registrar identity keygen` writes them; the registrar reads the first, a box the second as
// its root_key_file.
#pragma once

#include "base/file.h"
#include "core/identity_key.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::identity_key_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// Loaded, absent (nullopt), or Errc::unusable, as for a name in .pub. Never says the content.
Result<std::optional<IdentityKey>> load(const std::string& path);

/// Never overwrites a key: `unchanged` when one is there.
Result<Change> create(const std::string& path, const IdentityKey& key);

} // namespace losos::identity_key_file
