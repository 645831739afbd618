// hub-noise.pub and hub-noise.for: the hub's Noise key as first seen, and the registrar URL it
// belongs to. losos-uplink writes the pair once per hub and reads it; losos-edge removes it with
// the uplink.
#pragma once

#include "base/file.h"
#include "core/network.h"
#include "core/rathole_config.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos {

/// A key and whose it is.
struct HubNoisePin {
    NoiseKey key;
    HttpUrl registrar_url;
    friend bool operator==(const HubNoisePin&, const HubNoisePin&) = default;
};

} // namespace losos

namespace losos::hub_noise_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// Both files, or nullopt when one of them is missing: a key that says no hub pins none.
/// Errc::unusable when one cannot be read or makes no sense.
Result<std::optional<HubNoisePin>> load(const std::string& pub_path);

/// The key first, then whose it is: cut in between, the pair belongs to no hub.
Result<Change> store(const std::string& pub_path, const HubNoisePin& pin);

Result<Change> remove(const std::string& pub_path);

/// `<name>.for` beside `<name>.pub`.
std::string for_path(const std::string& pub_path);

} // namespace losos::hub_noise_file
