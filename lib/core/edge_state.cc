#include "core/edge_state.h"

#include "core/relay_check.h"

#include <algorithm>
#include <set>

namespace losos {

namespace {

std::map<Port, RowId> holders_of(const std::map<Port, Resting>& resting) {
    std::map<Port, RowId> holders;
    for (const auto& [port, rest] : resting) {
        holders.emplace(port, rest.id);
    }
    return holders;
}

bool is_reserved(const EdgeRules& rules, const DnsName& hostname) {
    return std::find(rules.reserved.begin(), rules.reserved.end(), hostname) !=
           rules.reserved.end();
}

std::set<Port> ports_held(const EdgeState& state) {
    std::set<Port> held;
    for (const auto& [_, row] : state.rows) {
        held.insert(row.port);
    }
    return held;
}

UnixTime rounded_up(Duration duration) {
    return std::chrono::ceil<UnixTime>(duration);
}

bool is_vouched_for(const RosterEntry* voucher, const EdgeRules& rules, const RowId& id,
                    const RegistryRow& row) {
    if (voucher == nullptr) {
        return false;
    }
    if (!id.is_relayed()) {
        return voucher->kind == TenantKind::listed || !is_reserved(rules, voucher->hostname);
    }
    const auto& zone = voucher->relay_zone;
    return zone && row.hostname.is_one_label_under(*zone) && !is_reserved(rules, row.hostname);
}

} // namespace

EdgeState restore_state(Registry stored, Roster roster, const EdgeRules& rules, Instant now) {
    EdgeState state{
        std::move(roster), std::move(stored.rows), std::move(stored.compute_windows), {}};
    const auto held = ports_held(state);
    for (const auto& [port, rest] : stored.resting) {
        if (held.contains(port)) {
            continue;
        }
        // Clamped before anything is subtracted: a file may hold any number.
        const auto until = std::clamp(rest.until, now.unix, now.unix + rounded_up(rules.port_rest));
        // Both moments lack a part of a second, so what is left may be a second more.
        const auto left = rest.until < now.unix ? UnixTime{0} : until - now.unix + UnixTime{1};
        const auto remaining = std::min<Duration>(left, rules.port_rest);
        state.resting.emplace(port, Resting{rest.id, until, now.monotonic + remaining});
    }
    return state;
}

void rest_forgotten(EdgeState& state, const std::map<Port, RowId>& routed, const EdgeRules& rules,
                    Instant now) {
    const auto held = ports_held(state);
    const auto until = now.unix + rounded_up(rules.port_rest);
    for (const auto& [port, id] : routed) {
        if (rules.ports.contains(port) && !held.contains(port)) {
            state.resting.try_emplace(port, Resting{id, until, std::nullopt});
        }
    }
}

Registry registry_of(const EdgeState& state) {
    Registry registry{state.rows, state.compute_windows, {}};
    for (const auto& [port, rest] : state.resting) {
        registry.resting.emplace(port, RestingPort{rest.id, rest.until});
    }
    return registry;
}

bool is_stored_as(const EdgeState& state, const Registry& stored) {
    return state.rows == stored.rows && state.compute_windows == stored.compute_windows &&
           std::equal(state.resting.begin(), state.resting.end(), stored.resting.begin(),
                      stored.resting.end(), [](const auto& rests, const auto& known) {
                          return rests.first == known.first &&
                                 RestingPort{rests.second.id, rests.second.until} == known.second;
                      });
}

EdgeBatch::EdgeBatch(EdgeState& state, const EdgeRules& rules, Instant now)
    : m_state(state), m_rules(rules), m_now(now),
      m_pool(rules.ports, state.rows, holders_of(state.resting)) {}

RegisterOutcome EdgeBatch::register_tenant(const RegisterCall& call) {
    switch (check_caller(m_state.roster, call.appliance_id, call.token)) {
    case CallerVerdict::rejected:
        return RegisterRefusal::unauthorized;
    case CallerVerdict::unknown:
        if (!m_rules.enrolment_open) {
            return RegisterRefusal::unauthorized;
        }
        if (const auto refusal = enrol(call)) {
            return *refusal;
        }
        break;
    case CallerVerdict::accepted:
        break;
    }
    const auto id = DnsLabel::parse(call.appliance_id);
    const auto hostname = DnsName::parse(call.hostname);
    if (!id || !hostname) {
        return RegisterRefusal::odd_hostname;
    }
    if (const auto refusal = admit_known(*id, *hostname)) {
        return *refusal;
    }
    const auto port = hold_port(RowId::direct(*id), *hostname);
    if (!port) {
        return RegisterRefusal::no_port;
    }
    rename(*id, *hostname);
    return *port;
}

std::optional<RegisterRefusal> EdgeBatch::enrol(const RegisterCall& call) {
    const auto id = DnsLabel::parse(call.appliance_id);
    if (!id) {
        return RegisterRefusal::odd_id;
    }
    const auto hostname = DnsName::parse(call.hostname);
    if (!hostname) {
        return RegisterRefusal::odd_hostname;
    }
    auto token = Token::parse(call.token);
    if (!token) {
        return RegisterRefusal::odd_token;
    }
    switch (check_enrolment(m_state.roster, m_rules.reserved, *id, *hostname, m_rules.enrol_max)) {
    case EnrolmentVerdict::hostname_held:
        return RegisterRefusal::hostname_held;
    case EnrolmentVerdict::full:
        return RegisterRefusal::enrolment_full;
    case EnrolmentVerdict::enrol:
        break;
    }
    if (!hold_port(RowId::direct(*id), *hostname)) {
        return RegisterRefusal::no_port;
    }
    std::size_t rank = 1;
    for (const auto& [_, known] : m_state.roster) {
        rank = std::max(rank, known.enrolment_rank + 1);
    }
    m_enrolments.added.emplace_back(EnrolledTenant{*id, *hostname}, *token);
    m_state.roster.insert_or_assign(*id, RosterEntry{.kind = TenantKind::enrolled,
                                                     .hostname = *hostname,
                                                     .token = *std::move(token),
                                                     .relay_zone = std::nullopt,
                                                     .enrolment_rank = rank});
    return std::nullopt;
}

std::optional<RegisterRefusal> EdgeBatch::admit_known(const DnsLabel& id, const DnsName& hostname) {
    const RosterEntry& entry = m_state.roster.at(id);
    const bool is_listed = entry.kind == TenantKind::listed;
    if (entry.hostname == hostname && (is_listed || !is_reserved(m_rules, hostname))) {
        return std::nullopt;
    }
    if (is_listed) {
        return RegisterRefusal::hostname_fixed;
    }
    if (check_hostname(m_state.roster, m_rules.reserved, id, hostname) == HostnameVerdict::held) {
        return RegisterRefusal::hostname_held;
    }
    return std::nullopt;
}

void EdgeBatch::rename(const DnsLabel& id, const DnsName& hostname) {
    RosterEntry& entry = m_state.roster.at(id);
    if (entry.hostname != hostname) {
        entry.hostname = hostname;
        m_enrolments.renamed.push_back(EnrolledTenant{id, hostname});
    }
}

std::optional<Port> EdgeBatch::hold_port(const RowId& id, const DnsName& hostname) {
    if (const auto row = m_state.rows.find(id); row != m_state.rows.end()) {
        row->second.hostname = hostname;
        return row->second.port;
    }
    const auto port = m_pool.take(id);
    if (port) {
        m_state.rows.emplace(id, RegistryRow{hostname, *port});
        m_state.resting.erase(*port);
    }
    return port;
}

DeregisterOutcome EdgeBatch::deregister(const std::string& id, const std::string& token) {
    if (check_caller(m_state.roster, id, token) != CallerVerdict::accepted) {
        return DeregisterOutcome::unauthorized;
    }
    const auto row_id = RowId::direct(*DnsLabel::parse(id));
    if (const auto row = m_state.rows.find(row_id); row != m_state.rows.end()) {
        m_pool.release(row->second.port, row_id);
        remove_row(m_state, row_id, m_rules, m_now);
    }
    return DeregisterOutcome::done;
}

RelayOutcome EdgeBatch::relay(const RelayCall& call) {
    if (check_caller(m_state.roster, call.appliance_id, call.token) != CallerVerdict::accepted) {
        return RelayRefusal::unauthorized;
    }
    const auto spoke = *DnsLabel::parse(call.appliance_id);
    const auto zone = m_state.roster.at(spoke).relay_zone;
    if (!zone) {
        return RelayRefusal::no_relay_zone;
    }
    const auto resting =
        std::count_if(m_state.resting.begin(), m_state.resting.end(),
                      [&](const auto& rest) { return rest.second.id.spoke() == spoke; });
    auto verdict = check_relay(RelayContext{spoke, *zone, m_state.rows, m_rules.reserved,
                                            static_cast<std::size_t>(resting)},
                               call.tenants, m_pool);
    BindingNews news;
    if (m_rules.pass_key) {
        news = judge_passes(m_state.bindings, spoke, verdict.passes, m_state.rows,
                            *m_rules.pass_key, m_now.unix);
    }

    std::vector<RowId> gone;
    for (const auto& [id, row] : m_state.rows) {
        if (id.spoke() == spoke && !verdict.rows.contains(id)) {
            gone.push_back(id);
        }
    }
    for (const RowId& id : gone) {
        m_pool.release(m_state.rows.at(id).port, id);
        remove_row(m_state, id, m_rules, m_now);
    }
    for (const auto& [id, row] : verdict.rows) {
        m_state.rows.insert_or_assign(id, row);
        m_state.resting.erase(row.port);
    }
    return RelayDecision{{std::move(verdict.accepted), std::move(verdict.refused), {}},
                         std::move(news)};
}

JoinOutcome EdgeBatch::join(const ClusterJoinCall& call) {
    if (check_caller(m_state.roster, call.appliance_id, call.token) != CallerVerdict::accepted) {
        return JoinOutcome::unauthorized;
    }
    const auto id = *DnsLabel::parse(call.appliance_id);
    if (!m_state.roster.at(id).cluster) {
        return JoinOutcome::no_member;
    }
    if (call.node_name != call.appliance_id) {
        return JoinOutcome::another_node;
    }
    m_state.compute_windows.insert_or_assign(id, call.window);
    return JoinOutcome::done;
}

void remove_row(EdgeState& state, const RowId& id, const EdgeRules& rules, Instant now) {
    const auto row = state.rows.find(id);
    if (row == state.rows.end()) {
        return;
    }
    state.resting.insert_or_assign(
        row->second.port, Resting{id, now.unix + rounded_up(rules.port_rest), std::nullopt});
    state.rows.erase(row);
}

std::vector<RowId> find_orphans(const EdgeState& state, const EdgeRules& rules) {
    std::vector<RowId> orphans;
    VoucherWalk vouchers(state.roster);
    for (const auto& [id, row] : state.rows) {
        if (!is_vouched_for(vouchers.voucher_of(id), rules, id, row)) {
            orphans.push_back(id);
        }
    }
    return orphans;
}

std::string_view explain_orphan(const EdgeState& state, const RowId& id) {
    if (id.is_relayed()) {
        return "its gateway may not bring it any more";
    }
    return state.roster.contains(id.box()) ? "its hostname is reserved by now"
                                           : "it is neither listed nor enrolled any more";
}

std::vector<DnsLabel> drop_windows(EdgeState& state) {
    std::vector<DnsLabel> gone;
    std::erase_if(state.compute_windows, [&](const auto& window) {
        const auto tenant = state.roster.find(window.first);
        const bool is_member = tenant != state.roster.end() && tenant->second.cluster;
        if (!is_member) {
            gone.push_back(window.first);
        }
        return !is_member;
    });
    return gone;
}

void follow_roster_hostnames(EdgeState& state) {
    VoucherWalk vouchers(state.roster);
    for (auto& [id, row] : state.rows) {
        const RosterEntry* voucher = vouchers.voucher_of(id);
        if (!id.is_relayed() && voucher != nullptr) {
            row.hostname = voucher->hostname;
        }
    }
}

void advance_resting(EdgeState& state, std::vector<Port> still_routed, const EdgeRules& rules,
                     Instant now) {
    std::sort(still_routed.begin(), still_routed.end());
    for (auto rest = state.resting.begin(); rest != state.resting.end();) {
        auto& [port, resting] = *rest;
        const bool routed = std::binary_search(still_routed.begin(), still_routed.end(), port);
        if (routed) {
            resting.free_at.reset();
        } else if (!resting.free_at) {
            resting.free_at = now.monotonic + rules.port_rest;
            resting.until = now.unix + rounded_up(rules.port_rest);
        }
        rest = resting.free_at && *resting.free_at <= now.monotonic ? state.resting.erase(rest)
                                                                    : std::next(rest);
    }
}

} // namespace losos
