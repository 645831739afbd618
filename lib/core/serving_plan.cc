#include "core/serving_plan.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace losos {

namespace {

constexpr Duration k_service_outlives_router{1000};

/// A row with the tenant that vouches for it and has a sound token.
struct ServedRow {
    const RowId* id;
    const RegistryRow* row;
    const RosterEntry* voucher;

    auto rank() const {
        return std::make_tuple(id->is_relayed(), voucher->kind == TenantKind::enrolled, *id);
    }
};

std::vector<ServedRow> served_rows(const EdgeState& state) {
    std::vector<ServedRow> served;
    served.reserve(state.rows.size());
    for (const auto& [id, row] : state.rows) {
        const auto spoke = id.spoke();
        const auto entry = state.roster.find(spoke ? *spoke : id.box());
        if (entry != state.roster.end() && entry->second.token) {
            served.push_back({&id, &row, &entry->second});
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

} // namespace

ServingPlan plan_serving(const EdgeState& state, const CertificateRules& certificates) {
    const auto served = served_rows(state);
    std::map<DnsName, const ServedRow*> winners;
    for (const ServedRow& candidate : served) {
        auto& winner = winners[candidate.row->hostname];
        if (winner == nullptr || candidate.rank() < winner->rank()) {
            winner = &candidate;
        }
    }
    ServingPlan plan;
    plan.services.reserve(served.size());
    plan.routers.reserve(winners.size());
    for (const ServedRow& candidate : served) {
        plan.services.push_back({*candidate.id, *candidate.voucher->token, candidate.row->port});
        if (winners.at(candidate.row->hostname) == &candidate) {
            plan.routers.push_back({*candidate.id, candidate.row->hostname, candidate.row->port,
                                    tls_of(candidate, certificates)});
        }
    }
    return plan;
}

std::vector<LiveBox> plan_live_boxes(const EdgeState& state,
                                     const std::map<RowId, RelayPass>& passes) {
    std::vector<std::pair<const RosterEntry*, LiveBox>> ranked;
    for (const ServedRow& served : served_rows(state)) {
        if (served.id->is_relayed()) {
            continue;
        }
        const auto pass = passes.find(*served.id);
        ranked.emplace_back(
            served.voucher,
            LiveBox{served.id->box(), served.row->hostname, served.row->port,
                    pass == passes.end() ? std::nullopt : std::optional(pass->second)});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return std::make_tuple(a.first->kind == TenantKind::enrolled, a.first->enrolment_rank) <
               std::make_tuple(b.first->kind == TenantKind::enrolled, b.first->enrolment_rank);
    });
    std::vector<LiveBox> boxes;
    boxes.reserve(ranked.size());
    for (auto& [_, box] : ranked) {
        boxes.push_back(std::move(box));
    }
    return boxes;
}

std::vector<RatholeService>
DepartingServices::still_served(const std::vector<RatholeService>& desired,
                                const std::vector<Router>& routed, MonotonicTime now) {
    std::map<RowId, Served> next;
    std::set<Port> taken;
    for (const RatholeService& service : desired) {
        next.insert_or_assign(service.id, Served{service, std::nullopt});
        taken.insert(service.port);
    }
    for (auto& [id, served] : m_served) {
        if (next.contains(id) || taken.contains(served.service.port)) {
            continue;
        }
        const bool has_router = std::any_of(
            routed.begin(), routed.end(),
            [&, port = served.service.port](const Router& router) { return router.port == port; });
        if (has_router) {
            served.leaves_at.reset();
        } else if (!served.leaves_at) {
            served.leaves_at = now + k_service_outlives_router;
        }
        if (!served.leaves_at || now < *served.leaves_at) {
            next.insert_or_assign(id, std::move(served));
        }
    }
    m_served = std::move(next);

    std::vector<RatholeService> services;
    services.reserve(m_served.size());
    for (const auto& [_, served] : m_served) {
        services.push_back(served.service);
    }
    return services;
}

std::optional<MonotonicTime> DepartingServices::next_departure() const {
    std::optional<MonotonicTime> next;
    for (const auto& [_, served] : m_served) {
        if (served.leaves_at && (!next || *served.leaves_at < *next)) {
            next = served.leaves_at;
        }
    }
    return next;
}

} // namespace losos
