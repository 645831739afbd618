// domains.json: every claim to a custom domain. The registrar writes and reads it; what is in it
// cannot be made anew, so a file that cannot be used stops the start. domains.json(5).
#pragma once

#include "base/file.h"
#include "core/domain_claim.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::domains_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// Fails with a byte offset when the text is no JSON or an entry makes no sense, and when one box
/// claims one domain twice.
Result<std::vector<DomainClaim>> parse(std::string_view text);

std::string render(const std::vector<DomainClaim>& claims);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<std::vector<DomainClaim>>> load(const std::string& path);

Result<Change> store(const std::string& path, const std::vector<DomainClaim>& claims);

} // namespace losos::domains_file
