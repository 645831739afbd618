// An edge's own Noise key pair: the private key, and <name>.pub beside it. `losos-registrar noise
// keygen` writes both; the registrar reads both.
#pragma once

#include "base/file.h"
#include "core/rathole_config.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::noise_key_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// A private or a public key: loaded, absent (nullopt), or Errc::unusable. Never says the content.
Result<std::optional<NoiseKey>> load(const std::string& path);

/// The same for a private key, whose name does not end in .pub.
Result<std::optional<NoiseKey>> load_private(const std::string& path);

/// Never overwrites a private key: `unchanged` when one is there.
Result<Change> create_private(const std::string& path, const NoiseKey& key);

Result<Change> store_public(const std::string& path, const NoiseKey& key);

/// The private key's name + `.pub`.
std::string public_path(const std::string& private_path);

} // namespace losos::noise_key_file
