// What one reconcile of a hub with a full route table costs without its writes, after a domain of
// one box went or came and one box got another port: claims, zone, routes and every rendered file.
// In processor time, which other programs of the machine disturb little.
//
// Usage: losos-names-bench BOXES DOMAINS ROUNDS
// Prints `STAGE MICROSECONDS`, medians, a line each, then how many bytes were rendered.
#include "stopwatch.h"

#include "support/crowded_hub.h"

#include "core/compute_nodes.h"
#include "core/domain_proof.h"
#include "core/further_hosts.h"
#include "core/route_plan.h"
#include "core/serving_plan.h"
#include "core/zone_text.h"
#include "files/compute_windows_file.h"
#include "files/domains_file.h"
#include "files/live_file.h"
#include "files/registry_file.h"
#include "files/relay_routes_file.h"
#include "files/status_file.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace losos {

namespace {

using crowd::k_now;
using crowd::sound;

constexpr int k_changed_port = 40000;

/// The texts of a hub's files.
struct Texts {
    std::string domains;
    std::string zone;
    std::string routes;
    std::string server;
    std::string routers;
    std::string live;
    std::string registry;
    std::string windows;
    std::string status;

    std::size_t size() const {
        return domains.size() + zone.size() + routes.size() + server.size() + routers.size() +
               live.size() + registry.size() + windows.size() + status.size();
    }
};

/// What the registrar keeps from one reconcile to the next.
class HubEdge {
public:
    HubEdge(int boxes, int domains)
        : m_hub(crowd::make_hub(boxes, domains)),
          m_table(restore_domains(m_hub.claims, m_rules, k_now)) {}

    void change_one(int round) {
        auto tracked = m_table.begin();
        std::advance(tracked, m_table.size() / 2);
        auto& claim = tracked->second.claim;
        claim.status = round % 2 == 0 ? ClaimStatus::waiting : ClaimStatus::live;
        claim.waiting_since = k_now.unix;
        tracked->second.dropped_at = k_now.monotonic + k_claim_waits;
        auto row = m_hub.state.rows.begin();
        std::advance(row, m_hub.state.rows.size() / 2);
        row->second.port = sound(Port::from_number(k_changed_port + round));
    }

    void reconcile(Stopwatch& watch) {
        auto& state = m_hub.state;
        Texts texts;
        FurtherHosts further;
        std::vector<DomainRoute> routes;
        ServingPlan plan;
        watch.time("state", [&] { follow_state(); });
        watch.time("claims", [&] { texts.domains = follow_claims(); });
        watch.time("zone", [&] { texts.zone = follow_zone(); });
        watch.time("further names", [&] { further = further_names(); });
        watch.time("routes", [&] {
            routes = plan_routes(state, further, k_now.unix);
            m_moved += compare_routes(m_routes, routes).added.size();
        });
        watch.time("relay-routes.json",
                   [&] { texts.routes = relay_routes_file::render(state.bindings, routes); });
        watch.time("plan", [&] { plan = plan_serving(state, m_certificates, further, routes); });
        watch.time("server.toml", [&] {
            texts.server = render_rathole_server(
                m_head, m_departing.still_served(plan.services, m_routed, k_now.monotonic));
        });
        watch.time("losos.yml", [&] {
            texts.routers = render_traefik(plan.routers).value_or("");
            m_routed = plan.routers;
        });
        watch.time("live.json",
                   [&] { texts.live = live_file::render(plan_live_boxes(state, {})); });
        watch.time("registry.json",
                   [&] { texts.registry = registry_file::render(registry_of(state)); });
        watch.time("compute-windows.json", [&] {
            texts.windows = compute_windows_file::render(
                plan_compute_nodes(state.compute_windows, {}, Duration{120'000}, k_now.monotonic));
        });
        watch.time("status.json", [&] { texts.status = status_file::render(status()); });
        m_routes = std::move(routes);
        m_before = std::move(texts);
    }

    std::size_t bytes() const { return m_before.size(); }
    std::size_t routes() const { return m_routes.size(); }
    std::size_t moved() const { return m_moved; }

private:
    void follow_state() {
        auto& state = m_hub.state;
        const EdgeState before = state;
        const EdgeBatch batch(state, m_edge_rules, k_now);
        follow_roster_hostnames(state);
        m_gone += find_orphans(state, m_edge_rules).size() + drop_windows(state).size() +
                  release_orphans(state.bindings, state.roster).size();
    }

    std::string follow_claims() {
        m_eligible = eligible_among(m_hub.vouchers, m_hub.state.roster);
        m_gone += follow_vouchers(m_table, m_eligible, k_now).size() +
                  drop_overdue(m_table, k_now.monotonic).size();
        m_gone += plan_checks(m_table, {}, k_now.monotonic).size();
        next_domain_due(m_table, {});
        if (are_stored_as(m_table, m_stored)) {
            return {};
        }
        m_stored = claims_of(m_table);
        return domains_file::render(m_stored);
    }

    std::string follow_zone() {
        ZoneContent content{true, {}, {}};
        for (const auto& [_, voucher] : m_eligible) {
            content.hosts.push_back(sound(zone_name_of(voucher.box_uuid, m_hub.zone)));
        }
        for (const auto& [_, row] : m_hub.state.rows) {
            content.hosts.push_back(row.hostname);
        }
        for (const auto& [_, entry] : m_hub.state.roster) {
            content.hosts.push_back(entry.hostname);
        }
        auto zone = plan_zone(m_zone_rules, content, m_zone, std::nullopt, k_now.unix);
        m_settling.follow(content.hosts, m_zone, k_now.monotonic);
        m_zone = zone.text;
        return std::move(zone.text);
    }

    FurtherHosts further_names() const {
        auto hosts = hosts_of_boxes(m_eligible, m_hub.zone,
                                    served_domains(m_table, hostnames_in(m_hub.state), m_rules));
        for (auto& [_, names] : hosts) {
            std::erase_if(names, [&](const DnsName& name) {
                return is_at_or_under(name, m_hub.zone) &&
                       !m_settling.is_settled(name, k_now.monotonic + Duration{10'000});
            });
        }
        return hosts;
    }

    status_file::Status status() const {
        status_file::Status status;
        count_claims(m_table);
        for (const auto& [id, row] : m_hub.state.rows) {
            status.rows.push_back(
                {id, status_file::Kind::relayed, row.hostname, row.port, Duration{1}});
        }
        return status;
    }

    EdgeRules m_edge_rules{sound(PortRange::parse("20000-49999")), Duration{120'000}, {}, false, 0};
    CertificateRules m_certificates{"le", std::nullopt};
    RatholeServerHead m_head{sound(SocketAddress::parse("0.0.0.0:2333")), std::nullopt,
                             std::nullopt};
    crowd::Hub m_hub;
    DomainRules m_rules{Duration{30'000}, Duration{3'600'000}, OwnNames{{m_hub.zone}, {}}};
    ZoneRules m_zone_rules{
        m_hub.zone,
        {sound(DnsName::parse("edge.losos.example"))},
        sound(DnsName::parse("hostmaster.losos.example")),
        {sound(IpAddress::parse("198.51.100.1")), sound(IpAddress::parse("2001:db8::1"))}};
    DomainTable m_table;
    Vouchers m_eligible;
    std::vector<DomainClaim> m_stored;
    std::optional<std::string> m_zone;
    ZoneSettling m_settling;
    DepartingServices m_departing;
    std::vector<Router> m_routed;
    std::vector<DomainRoute> m_routes;
    Texts m_before;
    std::size_t m_gone = 0;
    std::size_t m_moved = 0;
};

bool run(int boxes, int domains, int rounds) {
    HubEdge edge(boxes, domains);
    Stopwatch stages;
    Stopwatch whole;
    for (int round = 0; round < rounds; ++round) {
        edge.change_one(round);
        whole.time("reconcile", [&] { edge.reconcile(stages); });
    }
    stages.print();
    whole.print();
    std::fputs(format("bytes {}\n", edge.bytes()).c_str(), stdout);
    return edge.routes() > 0 && edge.moved() > edge.routes() / 2;
}

} // namespace

} // namespace losos

int main(int argc, char** argv) {
    const int boxes = argc == 4 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 0;
    const int domains = argc == 4 ? static_cast<int>(std::strtol(argv[2], nullptr, 10)) : 0;
    const int rounds = argc == 4 ? static_cast<int>(std::strtol(argv[3], nullptr, 10)) : 0;
    if (boxes < 1 || domains < boxes || rounds < 1) {
        std::fputs("usage: losos-names-bench BOXES DOMAINS ROUNDS\n", stderr);
        return 2;
    }
    return losos::run(boxes, domains, rounds) ? 0 : 1;
}
