#include "core/router_handovers.h"

#include <algorithm>
#include <iterator>

namespace losos {

namespace {

/// A box brings up its tunnel within two seconds after it has registered, or after its client's
/// next tries.
constexpr Duration k_patience{5000};
constexpr Duration k_look_every{100};

/// Whether the row of a router has one under its hostname, whatever that is.
bool has_own(const std::vector<Router>& routers, const Router& wanted) {
    const auto [first, last] =
        std::equal_range(routers.begin(), routers.end(), wanted,
                         [](const Router& a, const Router& b) { return a.id < b.id; });
    return std::any_of(first, last,
                       [](const Router& each) { return each.kind == RouterKind::own; });
}

} // namespace

std::vector<RouterHandover> find_handovers(const std::vector<Router>& routed,
                                           const std::vector<Router>& wanted,
                                           const std::vector<RatholeService>& services) {
    if (routed == wanted) {
        return {};
    }
    std::map<DnsName, const Router*> leaving;
    for (const Router& router : routed) {
        if (router.kind == RouterKind::own && !has_own(wanted, router)) {
            leaving.emplace(router.host, &router);
        }
    }
    std::vector<RouterHandover> handovers;
    for (const Router& router : wanted) {
        const auto old = leaving.find(router.host);
        if (router.kind == RouterKind::further || old == leaving.end() ||
            has_router(routed, router)) {
            continue;
        }
        const bool is_served =
            std::any_of(services.begin(), services.end(), [&](const RatholeService& service) {
                return service.id == old->second->id && service.port == old->second->port;
            });
        if (is_served) {
            handovers.push_back({*old->second, router});
        }
    }
    return handovers;
}

std::vector<Router> RouterHandovers::settle(std::vector<Router> wanted,
                                            const std::vector<RouterHandover>& handovers,
                                            const std::set<Port>& standing, MonotonicTime now) {
    std::map<std::pair<DnsName, RowId>, MonotonicTime> waiting;
    m_next_look.reset();
    for (const auto& [from, to] : handovers) {
        if (!standing.contains(from.port) || standing.contains(to.port)) {
            continue;
        }
        const auto key = std::make_pair(to.host, to.id);
        const auto known = m_waiting.find(key);
        const auto since = known == m_waiting.end() ? now : known->second;
        // Kept when its time is over, too: it must not begin anew while the new router is on its
        // way into the file.
        waiting.emplace(key, since);
        if (now - since < k_patience) {
            std::replace(wanted.begin(), wanted.end(), to, from);
            m_next_look = now + k_look_every;
        }
    }
    m_waiting = std::move(waiting);
    if (m_next_look) {
        std::sort(wanted.begin(), wanted.end(), comes_before);
    }
    return wanted;
}

} // namespace losos
