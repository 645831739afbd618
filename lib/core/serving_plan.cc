#include "core/serving_plan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace losos {

namespace {

constexpr Duration k_service_outlives_router{1000};

/// A row with the tenant that vouches for it and has a sound token.
struct ServedRow {
    const RowId* id;
    const RegistryRow* row;
    const RosterEntry* voucher;

    auto rank() const {
        return std::make_tuple(id->is_relayed(), voucher->kind == TenantKind::enrolled,
                               std::cref(*id));
    }
};

std::vector<ServedRow> served_rows(const EdgeState& state) {
    std::vector<ServedRow> served;
    served.reserve(state.rows.size());
    VoucherWalk vouchers(state.roster);
    for (const auto& [id, row] : state.rows) {
        const RosterEntry* voucher = vouchers.voucher_of(id);
        if (voucher != nullptr && voucher->token) {
            served.push_back({&id, &row, voucher});
        }
    }
    return served;
}

RouterTls tls_of(const ServedRow& served, const CertificateRules& certificates) {
    if (!certificates.resolver) {
        return {};
    }
    if (served.id->is_relayed() && certificates.wildcard_resolver && served.voucher->relay_zone) {
        return {certificates.wildcard_resolver, served.voucher->relay_zone};
    }
    return {certificates.resolver, std::nullopt};
}

bool by_id(const RatholeService& a, const RatholeService& b) {
    return a.id < b.id;
}

/// What `before` holds and `after`, both by id, does not.
std::vector<RatholeService> missing_from(const std::vector<RatholeService>& after,
                                         const std::vector<RatholeService>& before) {
    std::vector<RatholeService> missing;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(missing), by_id);
    return missing;
}

template <class Each>
std::set<Port> ports_of(const std::vector<Each>& all) {
    std::set<Port> ports;
    for (const Each& each : all) {
        ports.insert(each.port);
    }
    return ports;
}

/// The winner of each hostname.
using Winners = std::unordered_map<std::string_view, const ServedRow*>;

/// Adds routers for names no row has, each to the row that serves it.
class FurtherRouters {
public:
    FurtherRouters(const std::vector<ServedRow>& served, Winners& winners, RouterTls tls,
                   std::vector<Router>& routers)
        : m_served(served), m_winners(winners), m_tls(std::move(tls)), m_routers(routers) {}

    /// Nothing when the row is not served.
    void add(const RowId& id, const DnsName& host) {
        const auto served = std::lower_bound(
            m_served.begin(), m_served.end(), id,
            [](const ServedRow& each, const RowId& wanted) { return *each.id < wanted; });
        if (served == m_served.end() || *served->id != id ||
            !m_winners.emplace(host.text(), &*served).second) {
            return;
        }
        m_routers.push_back({id, host, served->row->port, m_tls, RouterKind::further});
        m_added = true;
    }

    bool added() const { return m_added; }

private:
    const std::vector<ServedRow>& m_served;
    Winners& m_winners;
    RouterTls m_tls;
    std::vector<Router>& m_routers;
    bool m_added = false;
};

} // namespace

ServingPlan plan_serving(const EdgeState& state, const CertificateRules& certificates,
                         const FurtherHosts& further, const std::vector<DomainRoute>& routes) {
    const auto served = served_rows(state);
    Winners winners;
    winners.reserve(served.size());
    for (const ServedRow& candidate : served) {
        auto& winner = winners[candidate.row->hostname.text()];
        if (winner == nullptr || candidate.rank() < winner->rank()) {
            winner = &candidate;
        }
    }
    ServingPlan plan;
    plan.services.reserve(served.size());
    plan.routers.reserve(winners.size());
    for (const ServedRow& candidate : served) {
        plan.services.push_back({*candidate.id, *candidate.voucher->token, candidate.row->port});
        if (winners.at(candidate.row->hostname.text()) == &candidate) {
            plan.routers.push_back({*candidate.id, candidate.row->hostname, candidate.row->port,
                                    tls_of(candidate, certificates)});
        }
    }
    FurtherRouters routers(served, winners, {certificates.resolver, std::nullopt}, plan.routers);
    for (const auto& [tenant, hosts] : further) {
        for (const DnsName& host : hosts) {
            routers.add(RowId::direct(tenant), host);
        }
    }
    for (const DomainRoute& route : routes) {
        routers.add(route.service(), route.domain);
    }
    if (routers.added()) {
        std::sort(plan.routers.begin(), plan.routers.end(), comes_before);
    }
    return plan;
}

std::optional<std::vector<Router>> without_lost_names(const std::vector<Router>& standing,
                                                      const std::vector<Router>& wanted) {
    std::vector<Router> kept;
    std::copy_if(standing.begin(), standing.end(), std::back_inserter(kept),
                 [&](const Router& router) {
                     return router.kind == RouterKind::own || has_router(wanted, router);
                 });
    return kept.size() == standing.size() ? std::nullopt : std::optional(std::move(kept));
}

std::vector<LiveBox> plan_live_boxes(const EdgeState& state,
                                     const std::map<RowId, RelayPass>& passes) {
    auto ranked = served_rows(state);
    std::erase_if(ranked, [](const ServedRow& served) { return served.id->is_relayed(); });
    std::stable_sort(ranked.begin(), ranked.end(), [](const ServedRow& a, const ServedRow& b) {
        return std::make_tuple(a.voucher->kind == TenantKind::enrolled, a.voucher->enrolment_rank) <
               std::make_tuple(b.voucher->kind == TenantKind::enrolled, b.voucher->enrolment_rank);
    });
    std::vector<LiveBox> boxes;
    boxes.reserve(ranked.size());
    for (const ServedRow& served : ranked) {
        const auto pass = passes.find(*served.id);
        boxes.push_back({served.id->box(), served.row->hostname, served.row->port,
                         pass == passes.end() ? std::nullopt : std::optional(pass->second)});
    }
    return boxes;
}

const std::vector<RatholeService>&
DepartingServices::still_served(std::vector<RatholeService> desired,
                                const std::vector<Router>& routed, MonotonicTime now) {
    if (!std::is_sorted(desired.begin(), desired.end(), by_id)) {
        std::sort(desired.begin(), desired.end(), by_id);
    }
    auto leaving = missing_from(desired, m_served);
    drop_departed(leaving, desired, routed, now);
    const auto stay = static_cast<std::ptrdiff_t>(desired.size());
    desired.insert(desired.end(), std::move_iterator(leaving.begin()),
                   std::move_iterator(leaving.end()));
    std::inplace_merge(desired.begin(), desired.begin() + stay, desired.end(), by_id);
    m_served = std::move(desired);
    return m_served;
}

void DepartingServices::drop_departed(std::vector<RatholeService>& leaving,
                                      const std::vector<RatholeService>& desired,
                                      const std::vector<Router>& routed, MonotonicTime now) {
    const auto known = std::exchange(m_leaves_at, {});
    if (leaving.empty()) {
        return;
    }
    const auto taken = ports_of(desired);
    const auto with_router = ports_of(routed);
    std::erase_if(leaving, [&](const RatholeService& service) {
        if (taken.contains(service.port)) {
            return true;
        }
        std::optional<MonotonicTime> leaves_at;
        if (!with_router.contains(service.port)) {
            const auto before = known.find(service.id);
            leaves_at = before != known.end() && before->second ? *before->second
                                                                : now + k_service_outlives_router;
        }
        if (leaves_at && *leaves_at <= now) {
            return true;
        }
        m_leaves_at.emplace(service.id, leaves_at);
        return false;
    });
}

std::optional<MonotonicTime> DepartingServices::next_departure() const {
    std::optional<MonotonicTime> next;
    for (const auto& [_, moment] : m_leaves_at) {
        if (moment && (!next || *moment < *next)) {
            next = moment;
        }
    }
    return next;
}

} // namespace losos
