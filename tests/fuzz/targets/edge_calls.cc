// Any sequence of calls against the rules of an edge, a call a line: its route's name and its body,
// or `wait` and milliseconds. What must hold holds after each of them.
#include "check.h"
#include "target.h"

#include "core/edge_state.h"
#include "core/heartbeat_api.h"
#include "core/register_api.h"
#include "core/serving_plan.h"
#include "files/live_file.h"
#include "files/registry_file.h"

#include <charconv>
#include <set>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_most_enrolled = 3;
constexpr std::size_t k_most_calls = 24;

std::string_view take(std::string_view& text, char end) {
    const auto part = text.substr(0, text.find(end));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

ListedWithToken listed(std::string_view id, std::string_view hostname, bool relays) {
    const auto zone = relays ? std::optional(*DnsName::parse(hostname)) : std::nullopt;
    return {{*DnsLabel::parse(id), *DnsName::parse(hostname), "token", false, false, zone},
            *Token::parse(std::string(id) + "-token-token-token-token-token-token")};
}

/// An edge with two listed gateways, a listed box, open enrolment, and few ports.
class Edge {
public:
    void call(std::string_view line) {
        const auto what = take(line, ' ');
        if (what == "wait") {
            wait(line);
            return;
        }
        EdgeBatch batch(m_state, m_rules, m_now);
        if (what == "register") {
            if (const auto call = parse_register_call(line)) {
                check_registered(*call, batch.register_tenant(*call));
            }
        } else if (what == "deregister") {
            if (const auto call = parse_deregister_call(line)) {
                batch.deregister(call->appliance_id, call->token);
            }
        } else if (what == "relay") {
            if (const auto call = parse_relay_call(line)) {
                check_relayed(*call, batch.relay(*call));
            }
        }
    }

    void check() const {
        std::set<Port> ports;
        for (const auto& [id, row] : m_state.rows) {
            FUZZ_CHECK(m_rules.ports.contains(row.port) && ports.insert(row.port).second);
            const auto owner = m_state.roster.find(id.spoke().value_or(id.box()));
            FUZZ_CHECK(owner != m_state.roster.end());
            FUZZ_CHECK(!id.is_relayed() ||
                       row.hostname.is_one_label_under(*owner->second.relay_zone));
            FUZZ_CHECK(!id.is_relayed() || row.hostname != m_rules.reserved[0]);
        }
        for (const auto& [port, rest] : m_state.resting) {
            FUZZ_CHECK(ports.insert(port).second);
        }
        check_roster();
    }

    /// What is written to disk reads back as it was.
    void check_files() const {
        const auto registry = registry_of(m_state);
        const auto read = registry_file::parse(registry_file::render(registry), m_rules.ports);
        FUZZ_CHECK(read && read->dropped.empty() && read->registry == registry);

        const auto plan = plan_serving(m_state, {"le", std::nullopt});
        FUZZ_CHECK(plan.services.size() == m_state.rows.size());
        std::set<DnsName> hosts;
        for (const Router& router : plan.routers) {
            FUZZ_CHECK(hosts.insert(router.host).second);
        }
        const auto boxes = plan_live_boxes(m_state, {});
        FUZZ_CHECK(*live_file::parse(live_file::render(boxes)) == boxes);
    }

private:
    void wait(std::string_view text) {
        int milliseconds = 0;
        std::from_chars(text.data(), text.data() + text.size(), milliseconds);
        const Duration passed(std::max(milliseconds, 0));
        m_now.monotonic += passed;
        m_now.unix += std::chrono::duration_cast<UnixTime>(passed);
        advance_resting(m_state, {}, m_rules, m_now);
    }

    void check_registered(const RegisterCall& call, const RegisterOutcome& outcome) const {
        if (const auto* const port = std::get_if<Port>(&outcome)) {
            const auto row = m_state.rows.find(*RowId::parse(call.appliance_id));
            FUZZ_CHECK(row != m_state.rows.end() && row->second.port == *port);
            FUZZ_CHECK(row->second.hostname == *DnsName::parse(call.hostname));
            FUZZ_CHECK(check_caller(m_state.roster, call.appliance_id, call.token) ==
                       CallerVerdict::accepted);
        }
    }

    void check_relayed(const RelayCall& call, const RelayOutcome& outcome) const {
        if (const auto* const decision = std::get_if<RelayDecision>(&outcome)) {
            const RelayAnswer& answer = decision->answer;
            const auto spoke = *DnsLabel::parse(call.appliance_id);
            std::size_t rows = 0;
            for (const auto& [id, row] : m_state.rows) {
                rows += id.spoke() == spoke ? 1 : 0;
            }
            FUZZ_CHECK(rows == answer.accepted.size());
            FUZZ_CHECK(answer.accepted.size() + answer.refused.size() == call.tenants.size());
        }
    }

    void check_roster() const {
        std::set<DnsName> names;
        std::size_t enrolled = 0;
        for (const auto& [id, entry] : m_state.roster) {
            FUZZ_CHECK(names.insert(entry.hostname).second);
            FUZZ_CHECK(entry.hostname != m_rules.reserved[0]);
            enrolled += entry.kind == TenantKind::enrolled ? 1 : 0;
        }
        FUZZ_CHECK(enrolled <= k_most_enrolled);
    }

    EdgeRules m_rules{*PortRange::parse("20000-20006"),
                      Duration(120'000),
                      {*DnsName::parse("edge.acme.losos.cfd")},
                      true,
                      k_most_enrolled};
    Instant m_now{MonotonicTime(5'000'000), UnixTime(1'700'000'000)};
    EdgeState m_state{
        merge_roster({listed("acme", "acme.losos.cfd", true), listed("lab", "lab.losos.cfd", true),
                      listed("zoe", "zoe.losos.cfd", false)},
                     {}),
        {},
        {},
        {}};
};

void run(std::string_view input) {
    Edge edge;
    for (std::size_t calls = 0; !input.empty() && calls < k_most_calls; ++calls) {
        edge.call(take(input, '\n'));
        edge.check();
    }
    edge.check_files();
}

const Known k_known({"edge-calls", "sequences of calls", k_file, "", run});

} // namespace
} // namespace losos::fuzz
