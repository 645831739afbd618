// The route table of a hub: under which names of its own a box behind a gateway is reached. Pure,
// and the same whatever the order of what it is given.
#pragma once

#include "core/edge_state.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// The names a tenant has beside its hostname: its name in the zone, and its live custom domains.
using FurtherHosts = std::map<DnsLabel, std::vector<DnsName>>;

/// A name of a tenant that leads to its box behind a gateway.
struct DomainRoute {
    DnsName domain;
    DnsLabel tenant;
    DnsLabel spoke;

    /// The row that serves it: `<spoke>.<tenant>`.
    RowId service() const { return RowId::relayed(spoke, tenant); }
    friend auto operator<=>(const DomainRoute&, const DomainRoute&) = default;
};

/// By domain. A tenant's names are routed when it is not registered here itself, is a member of the
/// mesh, and has a binding that holds to a gateway that relays its box. A name that a row of this
/// edge has leads to that row instead; of two tenants with one name the first by id has it, its own
/// hostname before a further one.
std::vector<DomainRoute> plan_routes(const EdgeState& state, const FurtherHosts& further,
                                     UnixTime now);

/// What a gateway is told of them.
std::vector<RelayRoute> routes_through(const std::vector<DomainRoute>& routes,
                                       const DnsLabel& spoke);

/// What came and what went between two plans.
struct RouteNews {
    std::vector<DomainRoute> added;
    std::vector<DomainRoute> removed;
};

RouteNews compare_routes(const std::vector<DomainRoute>& before,
                         const std::vector<DomainRoute>& after);

} // namespace losos
