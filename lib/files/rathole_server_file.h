// server.toml: the tunnels an edge takes in. The registrar writes it, first by `seed`; rathole
// reads it and watches its directory.
#pragma once

#include "base/file.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::rathole_server_file {

inline constexpr std::size_t k_limit = 64 * 1024 * 1024;

/// What is there now; nullopt when nothing is.
Result<std::optional<std::string>> load(const std::string& path);

/// Writes what render_rathole_server made.
Result<Change> store(const std::string& path, const std::string& text);

/// The same, but leaves a file that is there alone.
Result<Change> create(const std::string& path, const std::string& text);

} // namespace losos::rathole_server_file
