// The tenants file: the operator's list of who may call, and the authority for hostnames. The
// operator writes it, the registrar reads it; nothing of ours ever writes it. tenants.json(5).
#pragma once

#include "base/result.h"
#include "core/tenant.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos::tenants_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// The rows in id order. A row that is not sound is listed as faulty and the others go on. Fails
/// with a byte offset when the text is no JSON object.
Result<TenantList> parse(std::string_view text);

/// Loaded, absent (nullopt), or Errc::unusable. Token files are not looked at.
Result<std::optional<TenantList>> load(const std::string& path);

} // namespace losos::tenants_file
