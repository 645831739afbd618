// The box's domains.json: the custom domains under which it can be reached now. lososd-pathd writes
// it, the box's own web programs read it. losos-custom-domains(7).
#pragma once

#include "base/file.h"
#include "core/domain_name.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::public_names_file {

inline constexpr std::size_t k_limit = 64 * 1024;

Result<std::vector<CustomDomain>> parse(std::string_view text);

/// In the order of the names, each once, whatever their order here.
std::string render(const std::vector<CustomDomain>& domains);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<std::vector<CustomDomain>>> load(const std::string& path);

Result<Change> store(const std::string& path, const std::vector<CustomDomain>& domains);

} // namespace losos::public_names_file
