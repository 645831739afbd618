// The zone of an edge's boxes, as Knot reads it. The registrar writes it, and reads its serial
// back. losos-custom-domains(7).
#pragma once

#include "base/file.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::zone_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// What is there now; nullopt when nothing is.
Result<std::optional<std::string>> load(const std::string& path);

/// Writes what plan_zone made.
Result<Change> store(const std::string& path, const std::string& text);

} // namespace losos::zone_file
