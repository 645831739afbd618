// The plan of every reconcile: which routers and services an edge serves, and which boxes a gateway
// hands on. Pure, and the same whatever the order of what it is given.
#pragma once

#include "core/edge_state.h"
#include "core/live_box.h"
#include "core/rathole_config.h"
#include "core/route_plan.h"
#include "core/traefik_config.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Where certificates come from on this edge.
struct CertificateRules {
    /// nullopt on an edge that never asks an ACME server.
    std::optional<std::string> resolver;
    /// The resolver of one wildcard certificate a relay zone, when the operator named one.
    std::optional<std::string> wildcard_resolver;
};

/// What is to be served.
struct ServingPlan {
    std::vector<Router> routers;
    std::vector<RatholeService> services;
};

/// Rows whose tenant or spoke has no sound token are left out. Of the rows of one hostname one gets
/// the router: a direct one before a relayed one, a listed tenant before an enrolled one, then the
/// lowest id. Further names of direct tenants, and routes, get what name is left.
ServingPlan plan_serving(const EdgeState& state, const CertificateRules& certificates,
                         const FurtherHosts& further = {},
                         const std::vector<DomainRoute>& routes = {});

/// Of the routers that stand, in order, those that may stay while the file is not due for the ones
/// wanted: a further name that is lost goes at once. nullopt when none is lost.
std::optional<std::vector<Router>> without_lost_names(const std::vector<Router>& standing,
                                                      const std::vector<Router>& wanted);

/// The direct live tenants in the order of live.json: listed ones by id, then enrolled ones by time
/// of enrolment.
std::vector<LiveBox> plan_live_boxes(const EdgeState& state,
                                     const std::map<RowId, RelayPass>& passes);

/// Services on their way out: kept until a second after the router is gone, so that no request
/// meets a router without a service.
class DepartingServices {
public:
    /// The services server.toml is to hold: `desired`, and of those served so far the ones whose
    /// router still stands in `routed` or went less than a second before `now`. A port that a
    /// desired service has is nobody else's.
    const std::vector<RatholeService>& still_served(std::vector<RatholeService> desired,
                                                    const std::vector<Router>& routed,
                                                    MonotonicTime now);

    /// Whether still_served gave more than it was asked for.
    bool any() const { return !m_leaves_at.empty(); }

    /// When still_served gives less than it does now, if nothing else changes.
    std::optional<MonotonicTime> next_departure() const;

private:
    /// Leaves of `leaving` those whose moment has not come.
    void drop_departed(std::vector<RatholeService>& leaving,
                       const std::vector<RatholeService>& desired,
                       const std::vector<Router>& routed, MonotonicTime now);

    /// By id.
    std::vector<RatholeService> m_served;
    /// Of those that are on their way out; the moment is known once the router is gone.
    std::map<RowId, std::optional<MonotonicTime>> m_leaves_at;
};

} // namespace losos
