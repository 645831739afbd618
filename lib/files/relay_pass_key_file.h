// relay-pass.key: with what a hub makes and judges relay passes. The registrar makes it once; it
// never leaves the hub.
#pragma once

#include "base/file.h"
#include "core/relay_pass_key.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::relay_pass_key_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// Loaded, absent (nullopt), or Errc::unusable. Never says the content.
Result<std::optional<RelayPassKey>> load(const std::string& path);

/// Never overwrites a key: `unchanged` when one is there.
Result<Change> create(const std::string& path, const RelayPassKey& key);

} // namespace losos::relay_pass_key_file
