// relay-pass: the pass the official edge gave a box, on one line. lososd-pathd writes it;
// losos-announce reads it and sends it with every register and heartbeat.
#pragma once

#include "base/file.h"
#include "core/relay_pass.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::relay_pass_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// Loaded, absent (nullopt), or Errc::unusable when it is not of a pass's shape.
Result<std::optional<RelayPass>> load(const std::string& path);

Result<Change> store(const std::string& path, const RelayPass& pass);

Result<Change> remove(const std::string& path);

} // namespace losos::relay_pass_file
