// A pinned Noise key: the key a box saw at its first contact with an edge, one file an edge.
// lososd-pathd writes it, only when it is missing, and reads it.
#pragma once

#include "base/file.h"
#include "core/network.h"
#include "core/rathole_config.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::pin_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// The pin of a LAN edge in the directory of the pins.
std::string path_in(const std::string& pins_dir, const Endpoint& edge);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<NoiseKey>> load(const std::string& path);

/// Never overwrites a pin: `unchanged` when one is there. Makes its directory (0700).
Result<Change> create(const std::string& path, const NoiseKey& key);

} // namespace losos::pin_file
