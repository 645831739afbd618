// edge-path.env: the path a box has chosen to an edge. lososd-pathd writes it; the units of the
// tunnel, losos-announce and `lososd-pathd client-config` read it.
#pragma once

#include "base/file.h"
#include "core/path_env.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::edge_path_env_file {

inline constexpr std::size_t k_limit = 64 * 1024;

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<EdgePath>> load(const std::string& path);

/// Fails when a value would need quoting.
Result<Change> store(const std::string& path, const EdgePath& edge);

Result<Change> remove(const std::string& path);

} // namespace losos::edge_path_env_file
