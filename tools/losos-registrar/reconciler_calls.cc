// How the reconciler decides the calls that gathered: all together, committed with one write, and
// answered after it.
#include "reconciler.h"

#include "base/log.h"
#include "call_scope.h"
#include "counted.h"
#include "files/enrolled_dir.h"
#include "io/clock.h"
#include "replies.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace losos {

struct Reconciler::Decided {
    HttpReply reply;
    bool success = false;
    /// Of a `/relay` that succeeds; its reply waits for the routes.
    std::optional<RelayDecision> relay = std::nullopt;

    static Decided not_written() {
        return {text_reply(503, "the change could not be written; retry later"), false};
    }
};

void Reconciler::decide(std::vector<PendingCall> calls, const HttpCounters& counters) {
    const Instant now{monotonic_now(), unix_now()};
    // Who was forgotten before it called must not be answered as if it had not been.
    take_roster(m_source.refresh_enrolled());
    const EdgeState before = m_state;
    EdgeBatch batch(m_state, m_rules, now);
    std::vector<Decided> decided;
    decided.reserve(calls.size());
    for (const PendingCall& pending : calls) {
        decided.push_back(decide_one(batch, pending));
    }
    EnrolmentChanges enrolments = batch.enrolments();
    std::vector<DnsLabel> gone;
    if (const auto enrolled = store_enrolments(enrolments, gone); !enrolled) {
        log(LogLevel::error, "who asked to enrol or to be renamed is answered 503: {}",
            enrolled.error().what);
        m_enrolment_fault = "nobody enrols or is renamed: " + enrolled.error().what;
        m_status.count_commit(false);
        m_state = before;
        m_domains.undo();
        enrolments = {};
        decided = decide_without_enrolments(calls, now);
    }
    const bool has_relays = std::any_of(decided.begin(), decided.end(),
                                        [](const Decided& each) { return each.relay.has_value(); });
    const auto committed = commit(enrolments, has_relays, now.unix);
    if (!committed) {
        log(LogLevel::error, "{} answered 503: {}", counted(calls.size(), "call"),
            committed.error().what);
        const auto wanted = plan_serving(m_state, m_certificates).services;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (decided[i].success && !std::holds_alternative<DomainsCall>(calls[i].call) &&
                !(rows_unchanged(calls[i].call, m_stored.rows, before, m_state) &&
                  bindings_unchanged(calls[i].call, m_routes.on_disk(), before, m_state) &&
                  window_unchanged(calls[i].call, m_stored, before, m_state) &&
                  has_its_tunnels(calls[i].call, wanted))) {
                decided[i] = Decided::not_written();
            }
        }
        m_state = before;
    }
    commit_domains(calls, decided);
    m_roster_is_news = m_roster_is_news || !batch.enrolments().empty();
    follow_rows(now.monotonic);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (decided[i].success) {
            note_success(calls[i].call, now.monotonic);
        }
    }
    if (has_relays) {
        answer_relays(calls, decided, now.unix);
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto* call = std::get_if<RegisterCall>(&calls[i].call);
        const bool forgotten =
            call != nullptr && std::any_of(gone.begin(), gone.end(), [&](const auto& id) {
                return id.text() == call->appliance_id;
            });
        calls[i].reply.set_value(
            forgotten ? text_reply(503, "the operator forgot this box just now; register again")
                      : std::move(decided[i].reply));
    }
    reconcile(counters);
}

Reconciler::Decided Reconciler::decide_one(EdgeBatch& batch, const PendingCall& pending) {
    return std::visit(
        [&](const auto& call) -> Decided {
            using Call = std::decay_t<decltype(call)>;
            HttpReply reply;
            if constexpr (std::is_same_v<Call, RegisterCall>) {
                reply = reply_to_register(batch.register_tenant(call));
            } else if constexpr (std::is_same_v<Call, DeregisterCall>) {
                reply = reply_to_deregister(batch.deregister(call.appliance_id, call.token));
            } else if constexpr (std::is_same_v<Call, ClusterJoinCall>) {
                reply = reply_to_join(batch.join(call));
            } else if constexpr (std::is_same_v<Call, DomainsCall>) {
                const Instant now{monotonic_now(), unix_now()};
                reply = m_domains.answer(call, m_state, official(now.unix), m_rules.pass_key, now);
            } else {
                auto outcome = batch.relay(call);
                if (auto* decision = std::get_if<RelayDecision>(&outcome)) {
                    return {{}, true, std::move(*decision)};
                }
                reply = reply_to_relay(outcome);
            }
            const bool success = reply.status < 300;
            return {std::move(reply), success};
        },
        pending.call);
}

/// A claim that cannot be written down was never made.
void Reconciler::commit_domains(const std::vector<PendingCall>& calls,
                                std::vector<Decided>& decided) {
    const auto committed = m_domains.commit();
    if (committed) {
        return;
    }
    log(LogLevel::error, "custom domains stay as they were: {}", committed.error().what);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto* call = std::get_if<DomainsCall>(&calls[i].call);
        if (call != nullptr && call->action != DomainsAction::list && decided[i].success) {
            decided[i] = Decided::not_written();
        }
    }
}

/// Each call by itself, so that what would have to be written down as an enrolment leaves no trace
/// with those after it.
std::vector<Reconciler::Decided>
Reconciler::decide_without_enrolments(const std::vector<PendingCall>& calls, Instant now) {
    std::vector<Decided> decided;
    decided.reserve(calls.size());
    for (const PendingCall& pending : calls) {
        EdgeState kept = m_state;
        EdgeBatch alone(m_state, m_rules, now);
        decided.push_back(decide_one(alone, pending));
        if (!alone.enrolments().empty()) {
            m_state = std::move(kept);
            decided.back() = Decided::not_written();
        }
    }
    return decided;
}

Result<void> Reconciler::store_enrolments(const EnrolmentChanges& enrolments,
                                          std::vector<DnsLabel>& gone) {
    if (enrolments.empty()) {
        return {};
    }
    enrolled_dir::Batch batch{{}, enrolments.renamed};
    for (const auto& [tenant, token] : enrolments.added) {
        batch.added.push_back({tenant, token});
    }
    TRY_ASSIGN(auto applied, enrolled_dir::apply(*m_options.enrol_dir, batch));
    gone = std::move(applied.gone);
    m_enrolment_fault.clear();
    return {};
}

Result<void> Reconciler::commit(const EnrolmentChanges& enrolments, bool has_relays, UnixTime now) {
    const bool registry_changed = !registry_is_stored();
    const bool bindings_changed = has_relays && !m_routes.holds(m_state.bindings);
    if (enrolments.empty() && !registry_changed && !bindings_changed &&
        m_publisher.services_written()) {
        return {};
    }
    const auto store = [&]() -> Result<void> {
        // First, for nothing leads to a box by its binding alone: it takes a row as well.
        if (bindings_changed) {
            TRY(m_routes.store(m_state.bindings, routes_at(now)));
        }
        if (registry_changed) {
            TRY(store_registry());
        }
        return {};
    };
    auto written = store();
    if (!written) {
        m_commit_fault = written.error().what +
                         "; who asks for a change is answered 503 until it can be written";
    } else {
        if (bindings_changed || registry_changed) {
            m_commit_fault.clear();
        }
        written =
            m_publisher.write_services(plan_serving(m_state, m_certificates), monotonic_now());
    }
    m_status.count_commit(written.has_value());
    return written;
}

/// Not so while server.toml cannot be written and still holds, say, a token the operator changed.
bool Reconciler::has_its_tunnels(const StateCall& call,
                                 const std::vector<RatholeService>& wanted) const {
    return std::all_of(wanted.begin(), wanted.end(), [&](const RatholeService& service) {
        return !belongs_to(caller_of(call), service.id) || m_publisher.holds(service);
    });
}

void Reconciler::answer_relays(const std::vector<PendingCall>& calls, std::vector<Decided>& decided,
                               UnixTime now) {
    const auto routes = routes_at(now);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        auto& relay = decided[i].relay;
        if (!relay) {
            continue;
        }
        const auto spoke = *DnsLabel::parse(caller_of(calls[i].call));
        m_relay_refusals.tell(spoke, relay->answer.refused);
        m_routes.tell(spoke, relay->bindings, m_state);
        relay->answer.routes = routes_through(routes, spoke);
        decided[i].reply = reply_to_relay(*std::move(relay));
    }
}

void Reconciler::note_success(const StateCall& call, MonotonicTime now) {
    if (const auto* relay = std::get_if<RelayCall>(&call)) {
        m_contacts.spoke_heard(*DnsLabel::parse(relay->appliance_id), now);
    } else if (const auto* registration = std::get_if<RegisterCall>(&call)) {
        m_contacts.tenant_heard(RowId::direct(*DnsLabel::parse(registration->appliance_id)),
                                registration->relay_pass, now);
    }
}

} // namespace losos
