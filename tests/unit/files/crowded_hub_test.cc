// A hub with 400 boxes behind gateways and 2,000 domains: what its files say depends on what there
// is, and never on the order in which it came.
#include "core/further_hosts.h"
#include "core/route_plan.h"
#include "core/serving_plan.h"
#include "core/traefik_config.h"
#include "files/relay_routes_file.h"

#include "support/catch.h"
#include "support/crowded_hub.h"

#include <algorithm>
#include <random>

using namespace losos;

namespace {

struct Texts {
    std::string routes;
    std::string routers;
    friend bool operator==(const Texts&, const Texts&) = default;
};

Texts reconcile(const crowd::Hub& hub, const DomainTable& table, const DomainRules& rules) {
    const auto further = hosts_of_boxes(eligible_among(hub.vouchers, hub.state.roster), hub.zone,
                                        served_domains(table, hostnames_in(hub.state), rules));
    const auto routes = plan_routes(hub.state, further, crowd::k_now.unix);
    const auto plan = plan_serving(hub.state, {"le", std::nullopt}, further, routes);
    return {relay_routes_file::render(hub.state.bindings, routes),
            render_traefik(plan.routers).value_or("")};
}

/// The same, put together in another order.
crowd::Hub shuffled(const crowd::Hub& hub, std::mt19937& random) {
    const auto again = [&](const auto& map) {
        using Map = std::decay_t<decltype(map)>;
        std::vector<std::pair<typename Map::key_type, typename Map::mapped_type>> entries(
            map.begin(), map.end());
        std::shuffle(entries.begin(), entries.end(), random);
        return Map(entries.begin(), entries.end());
    };
    crowd::Hub other = hub;
    other.state.roster = again(hub.state.roster);
    other.state.rows = again(hub.state.rows);
    other.state.compute_windows = again(hub.state.compute_windows);
    other.state.bindings = again(hub.state.bindings);
    other.vouchers = again(hub.vouchers);
    std::shuffle(other.claims.begin(), other.claims.end(), random);
    return other;
}

} // namespace

TEST_CASE("2,000 domains of 400 boxes give the same bytes whatever the order they came in") {
    std::mt19937 random(7); // NOLINT(cert-msc51-cpp): the same orders each time
    const auto hub = crowd::make_hub(400, 2000);
    const DomainRules rules{Duration{30'000}, Duration{3'600'000}, OwnNames{{hub.zone}, {}}};
    const auto first = reconcile(hub, restore_domains(hub.claims, rules, crowd::k_now), rules);
    // A hostname, a name in the zone and five domains for each box, and its hostname at its
    // gateway.
    const auto count = [](const std::string& text, std::string_view word) {
        std::size_t found = 0;
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
            ++found;
        }
        return found;
    };
    CHECK(count(first.routes, "\"domain\": ") == 400 * 7);
    CHECK(count(first.routers, "rule: ") == 400 * 8);
    for (int round = 0; round < 3; ++round) {
        const auto other = shuffled(hub, random);
        CHECK(reconcile(other, restore_domains(other.claims, rules, crowd::k_now), rules) == first);
    }
}

TEST_CASE("a crowded hub's bindings are read back, and one box that moves changes its own lines") {
    auto hub = crowd::make_hub(400, 2000);
    const DomainRules rules{Duration{30'000}, Duration{3'600'000}, OwnNames{{hub.zone}, {}}};
    const auto table = restore_domains(hub.claims, rules, crowd::k_now);
    const auto before = reconcile(hub, table, rules);
    CHECK(relay_routes_file::parse(before.routes).value().bindings == hub.state.bindings);
    const auto away = crowd::box_at(7);
    hub.state.bindings.erase(away);
    const auto after = reconcile(hub, table, rules);
    CHECK(after.routes.find("\"box7\"") == std::string::npos);
    CHECK(after.routes.find("\"box70\"") != std::string::npos);
    hub.state.bindings.emplace(away,
                               Binding{crowd::gateway_at(0), pass_hour_of(crowd::k_now.unix)});
    CHECK(reconcile(hub, table, rules) == before);
}
