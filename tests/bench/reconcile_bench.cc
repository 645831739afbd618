// What one reconcile of a registrar costs without its writes, after one of its tenants changed:
// every row planned, every file rendered and compared with the text before. Beside it, as a
// yardstick, a plain loop of format calls that makes as many bytes of the same kind. Both in
// processor time, which other programs of the machine disturb little.
//
// Usage: losos-reconcile-bench TENANTS ROUNDS
// Prints `STAGE MICROSECONDS`, medians, a line each.
#include "stopwatch.h"

#include "base/format.h"
#include "core/edge_state.h"
#include "core/serving_plan.h"
#include "files/live_file.h"
#include "files/registry_file.h"
#include "files/status_file.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace losos {

namespace {

constexpr Instant k_now{MonotonicTime{1'000'000}, UnixTime{1'790'000'000}};
constexpr int k_first_port = 10000;
constexpr int k_changed_port = 30000;

/// The value of a result that must be there.
template <class T>
T sound(Result<T> result) {
    if (!result) {
        std::fputs((result.error().what + "\n").c_str(), stderr);
        std::exit(1);
    }
    return *std::move(result);
}

EdgeState state_of(int tenants) {
    EdgeState state;
    for (int i = 0; i < tenants; ++i) {
        const auto id = sound(DnsLabel::parse(format("box{}", i)));
        const auto hostname = sound(DnsName::parse(format("box{}.losos.example.org", i)));
        state.roster.emplace(id, RosterEntry{.kind = TenantKind::listed,
                                             .hostname = hostname,
                                             .token = sound(Token::parse(format("{:0>64}", i))),
                                             .relay_zone = std::nullopt});
        state.rows.emplace(RowId::direct(id),
                           RegistryRow{hostname, sound(Port::from_number(k_first_port + i))});
    }
    return state;
}

/// The yardstick's text: `bytes` of rows.
std::string plain_loop(const EdgeState& state, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
        for (const auto& [id, row] : state.rows) {
            text += format("\n[server.services.\"{}\"]\ntoken = \"{:0>64}\"\n", id.text(), 1);
            text += format("      rule: \"Host(`{}`)\"\n      service: losos_{}\n",
                           row.hostname.text(), id.text());
            text += format("    {{\n      \"id\": \"{}\",\n      \"hostname\": \"{}\",\n"
                           "      \"port\": {}\n    }},\n",
                           id.text(), row.hostname.text(), row.port.number());
            if (text.size() >= bytes) {
                break;
            }
        }
    }
    return text;
}

/// The texts of an edge's files.
struct Texts {
    std::string server;
    std::string routers;
    std::string live;
    std::string registry;
    std::string status;

    std::size_t size() const {
        return server.size() + routers.size() + live.size() + registry.size() + status.size();
    }
    friend bool operator==(const Texts&, const Texts&) = default;
};

/// What the registrar keeps from one reconcile to the next.
class Edge {
public:
    explicit Edge(int tenants) : m_state(state_of(tenants)), m_stored(registry_of(m_state)) {}

    /// One tenant in the middle gets another port.
    void change_one(int round) {
        auto row = m_state.rows.begin();
        std::advance(row, m_state.rows.size() / 2);
        row->second.port = sound(Port::from_number(k_changed_port + round));
    }

    void reconcile(Stopwatch& watch) {
        Texts texts;
        ServingPlan plan;
        watch.time("state", [&] {
            const EdgeState before = m_state;
            const EdgeBatch batch(m_state, m_rules, k_now);
            follow_roster_hostnames(m_state);
            m_orphans += find_orphans(m_state, m_rules).size();
        });
        watch.time("plan", [&] { plan = plan_serving(m_state, m_certificates); });
        watch.time("server.toml", [&] {
            texts.server = render_rathole_server(
                m_head, m_departing.still_served(plan.services, m_routed, k_now.monotonic));
        });
        watch.time("losos.yml", [&] {
            texts.routers = render_traefik(plan.routers).value_or("");
            m_routed = plan.routers;
        });
        watch.time("live.json",
                   [&] { texts.live = live_file::render(plan_live_boxes(m_state, {})); });
        watch.time("resting", [&] { advance_resting(m_state, ports(), m_rules, k_now); });
        watch.time("registry.json", [&] {
            Registry wanted = registry_of(m_state);
            if (wanted != m_stored) {
                texts.registry = registry_file::render(wanted);
                m_stored = std::move(wanted);
            }
        });
        watch.time("status.json", [&] { texts.status = status_file::render(status()); });
        watch.time("compare", [&] { m_unchanged += texts == m_before ? 1U : 0U; });
        m_before = std::move(texts);
    }

    std::size_t bytes() const { return m_before.size(); }
    const EdgeState& state() const { return m_state; }
    /// Whether the work was what it should have been.
    bool is_sound() const { return m_orphans == 0 && m_unchanged == 0; }

private:
    std::vector<Port> ports() const {
        std::vector<Port> ports;
        for (const Router& router : m_routed) {
            ports.push_back(router.port);
        }
        return ports;
    }

    status_file::Status status() const {
        status_file::Status status;
        VoucherWalk vouchers(m_state.roster);
        for (const auto& [id, row] : m_state.rows) {
            const bool listed = vouchers.voucher_of(id)->kind == TenantKind::listed;
            status.rows.push_back({id,
                                   listed ? status_file::Kind::listed : status_file::Kind::enrolled,
                                   row.hostname, row.port, Duration{1}});
        }
        return status;
    }

    EdgeRules m_rules{sound(PortRange::parse("10000-39999")), Duration{120'000}, {}, false, 0};
    CertificateRules m_certificates{"le", std::nullopt};
    RatholeServerHead m_head{sound(SocketAddress::parse("0.0.0.0:2333")), std::nullopt,
                             std::nullopt};
    EdgeState m_state;
    Registry m_stored;
    DepartingServices m_departing;
    std::vector<Router> m_routed;
    Texts m_before;
    std::size_t m_orphans = 0;
    std::size_t m_unchanged = 0;
};

bool run(int tenants, int rounds) {
    Edge edge(tenants);
    Stopwatch stages;
    Stopwatch whole;
    std::size_t made = 0;
    for (int round = 0; round < rounds; ++round) {
        edge.change_one(round);
        whole.time("reconcile", [&] { edge.reconcile(stages); });
        whole.time("yardstick", [&] { made = plain_loop(edge.state(), edge.bytes()).size(); });
    }
    stages.print();
    whole.print();
    std::fputs(format("bytes {}\n", edge.bytes()).c_str(), stdout);
    return edge.is_sound() && made >= edge.bytes();
}

} // namespace

} // namespace losos

int main(int argc, char** argv) {
    const int tenants = argc == 3 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 0;
    const int rounds = argc == 3 ? static_cast<int>(std::strtol(argv[2], nullptr, 10)) : 0;
    if (tenants < 1 || rounds < 1) {
        std::fputs("usage: losos-reconcile-bench TENANTS ROUNDS\n", stderr);
        return 2;
    }
    return losos::run(tenants, rounds) ? 0 : 1;
}
