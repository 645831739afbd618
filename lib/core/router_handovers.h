// A hostname's way from one row's tunnel to another's: its router stays with the tunnel that works
// until the other one stands, so that no request fails meanwhile. Pure.
#pragma once

#include "core/rathole_config.h"
#include "core/traefik_config.h"

#include "base/duration.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace losos {

/// A router that is to take the place of another one with the same hostname.
struct RouterHandover {
    Router from;
    Router to;
};

/// The handovers between the routers that stand and the ones wanted, both in order, in which the
/// old row is still served: who is gone has nothing to hold on to. A further name waits
/// for nobody.
std::vector<RouterHandover> find_handovers(const std::vector<Router>& routed,
                                           const std::vector<Router>& wanted,
                                           const std::vector<RatholeService>& services);

/// Decides, look by look, which handovers have to wait.
class RouterHandovers {
public:
    /// The routers to write: `wanted`, but the old one of each handover from a tunnel in `standing`
    /// to one that is not. After five seconds it is over all the same.
    std::vector<Router> settle(std::vector<Router> wanted,
                               const std::vector<RouterHandover>& handovers,
                               const std::set<Port>& standing, MonotonicTime now);

    /// When to look again; nullopt while nothing waits.
    std::optional<MonotonicTime> next_look() const { return m_next_look; }

private:
    /// Since when a hostname waits for a row.
    std::map<std::pair<DnsName, RowId>, MonotonicTime> m_waiting;
    std::optional<MonotonicTime> m_next_look;
};

} // namespace losos
