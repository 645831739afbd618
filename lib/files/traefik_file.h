// losos.yml: the routers of all live tenants. The registrar writes it; Traefik's file provider
// reads it. Absent when no tenant is live.
#pragma once

#include "base/file.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::traefik_file {

inline constexpr std::size_t k_limit = 64 * 1024 * 1024;

/// What is there now; nullopt when nothing is.
Result<std::optional<std::string>> load(const std::string& path);

/// Writes what render_traefik made; nullopt removes the file.
Result<Change> store(const std::string& path, const std::optional<std::string>& text);

} // namespace losos::traefik_file
