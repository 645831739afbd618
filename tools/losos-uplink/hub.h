// What a pass asks the hub: its Noise key, and to relay the boxes.
#pragma once

#include "inputs.h"
#include "uplink_options.h"

#include "core/relay_api.h"

#include <optional>
#include <vector>

namespace losos {

/// The key the tunnels are to use.
struct HubKey {
    /// nullopt on a hub without Noise, and where none could be had.
    std::optional<NoiseKey> key;
    /// Why nothing may be sent; then the tunnels of before stay as far as there is a key.
    std::optional<Error> fault;
};

/// Compares the hub's key with the pinned one; pins it at the first contact. Fails when the pin
/// cannot be read or written.
Result<HubKey> settle_hub_key(const UplinkOptions& options, const UplinkConfig& uplink,
                              const UplinkSecrets& secrets);

/// POST /relay. Fails with what the hub said, or that it said nothing.
Result<RelayAnswer> relay_to_hub(const UplinkConfig& uplink, const Token& token,
                                 const std::vector<LiveBox>& boxes, Duration timeout);

} // namespace losos
