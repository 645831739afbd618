#include "core/route_plan.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_set>

namespace losos {
namespace {

/// The gateway through which a tenant's names are routed; nullptr when they are not.
const DnsLabel* spoke_of(const EdgeState& state, const DnsLabel& tenant, const RosterEntry& entry,
                         UnixTime now) {
    const auto binding = state.bindings.find(tenant);
    if (binding == state.bindings.end() || has_expired(binding->second.epoch, now) ||
        !entry.token || !state.compute_windows.contains(tenant) ||
        state.rows.contains(RowId::direct(tenant))) {
        return nullptr;
    }
    const DnsLabel& spoke = binding->second.spoke;
    const auto gateway = state.roster.find(spoke);
    const bool relays = gateway != state.roster.end() && gateway->second.token &&
                        state.rows.contains(RowId::relayed(spoke, tenant));
    return relays ? &spoke : nullptr;
}

/// A tenant whose names are routed.
struct Routed {
    const DnsLabel* tenant;
    const RosterEntry* entry;
    const DnsLabel* spoke;
};

std::vector<Routed> routed_tenants(const EdgeState& state, UnixTime now) {
    std::vector<Routed> routed;
    for (const auto& [box, _] : state.bindings) {
        const auto tenant = state.roster.find(box);
        if (tenant == state.roster.end()) {
            continue;
        }
        if (const auto* spoke = spoke_of(state, tenant->first, tenant->second, now)) {
            routed.push_back({&tenant->first, &tenant->second, spoke});
        }
    }
    return routed;
}

/// Collects routes, a name once.
class RouteCollector {
public:
    explicit RouteCollector(const EdgeState& state) {
        for (const auto& [_, row] : state.rows) {
            m_taken.insert(row.hostname.text());
        }
    }

    void add(const Routed& routed, const DnsName& domain) {
        if (m_taken.insert(domain.text()).second) {
            m_routes.push_back({domain, *routed.tenant, *routed.spoke});
        }
    }

    std::vector<DomainRoute> take() {
        std::sort(m_routes.begin(), m_routes.end());
        return std::move(m_routes);
    }

private:
    std::unordered_set<std::string_view> m_taken;
    std::vector<DomainRoute> m_routes;
};

} // namespace

std::vector<DomainRoute> plan_routes(const EdgeState& state, const FurtherHosts& further,
                                     UnixTime now) {
    const auto routed = routed_tenants(state, now);
    if (routed.empty()) {
        return {};
    }
    RouteCollector collector(state);
    for (const Routed& each : routed) {
        collector.add(each, each.entry->hostname);
    }
    for (const Routed& each : routed) {
        const auto names = further.find(*each.tenant);
        if (names == further.end()) {
            continue;
        }
        for (const DnsName& name : names->second) {
            collector.add(each, name);
        }
    }
    return collector.take();
}

std::vector<RelayRoute> routes_through(const std::vector<DomainRoute>& routes,
                                       const DnsLabel& spoke) {
    std::vector<RelayRoute> through;
    for (const DomainRoute& route : routes) {
        if (route.spoke == spoke) {
            through.push_back({route.tenant.text(), route.domain.text()});
        }
    }
    std::sort(through.begin(), through.end());
    return through;
}

RouteNews compare_routes(const std::vector<DomainRoute>& before,
                         const std::vector<DomainRoute>& after) {
    RouteNews news;
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                        std::back_inserter(news.added));
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(news.removed));
    return news;
}

} // namespace losos
