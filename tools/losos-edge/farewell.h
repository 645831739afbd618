// The end of an uplink: the hub is told, and everything it has on this machine is removed.
#pragma once

#include "edge_files.h"

#include "base/result.h"
#include "files/uplink_file.h"

#include <optional>

namespace losos {

/// Whether the hub took the empty list.
enum class HubTold { told, not_told };

/// Posts the empty list to the hub, for at most five seconds; why it did not listen is a warning.
HubTold tell_hub_goodbye(const UplinkConfig& uplink);

/// Removes uplink.json, then the tunnels, the tokens and the pin. The uplink's lock must be held.
Result<void> remove_uplink_files(const EdgeFiles& files);

/// What ending an uplink came to.
struct Farewell {
    UplinkConfig uplink;
    HubTold hub_told;
};

/// Both; nullopt when no uplink was set, or none that can be read. The lock must be held.
Result<std::optional<Farewell>> end_uplink(const EdgeFiles& files,
                                           const std::optional<UplinkConfig>& uplink);

} // namespace losos
