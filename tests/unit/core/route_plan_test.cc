#include "core/route_plan.h"

#include "unit/core/make_passes.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

using Routes = std::vector<DomainRoute>;

const DnsLabel k_box = label("mattbox");

RosterEntry tenant(std::string_view hostname, std::optional<DnsName> zone = std::nullopt) {
    return {.kind = TenantKind::listed,
            .hostname = name(hostname),
            .token = token('t'),
            .relay_zone = std::move(zone)};
}

void relay(EdgeState& state, std::string_view spoke, std::string_view box) {
    state.rows.emplace(RowId::relayed(label(spoke), label(box)),
                       RegistryRow{name(std::string(box) + "." + std::string(spoke) + ".test"),
                                   port(static_cast<long long>(20'000 + state.rows.size()))});
}

/// Gateways acme and beta; mattbox, a member of the mesh, is bound to acme, which relays it.
EdgeState hub() {
    EdgeState state;
    state.roster.emplace(label("acme"), tenant("acme.losos.test", name("acme.test")));
    state.roster.emplace(label("beta"), tenant("beta.losos.test", name("beta.test")));
    state.roster.emplace(k_box, tenant("mattbox.losos.test"));
    state.compute_windows.emplace(k_box, ComputeWindow{});
    state.bindings.emplace(k_box, binding("acme", 500'000));
    relay(state, "acme", "mattbox");
    return state;
}

DomainRoute route(std::string_view domain, std::string_view spoke = "acme") {
    return {name(domain), k_box, label(spoke)};
}

Routes plan(const EdgeState& state, const FurtherHosts& further = {}) {
    return plan_routes(state, further, k_hour_500000);
}

const FurtherHosts k_further{
    {k_box, {name("z.zone.test"), name("cloud.example.org"), name("a.zone.test")}}};

} // namespace

TEST_CASE("core/route_plan: a box of the mesh that a gateway holds and relays has a route a name") {
    CHECK(plan(hub()) == Routes{route("mattbox.losos.test")});
    CHECK(plan(hub(), k_further) == Routes{route("a.zone.test"), route("cloud.example.org"),
                                           route("mattbox.losos.test"), route("z.zone.test")});
    CHECK(route("a.b").service() == row_id("acme.mattbox"));
}

TEST_CASE("core/route_plan: a box that lacks one condition has no route") {
    auto state = hub();
    SECTION("it is no tenant") {
        state.roster.erase(k_box);
    }
    SECTION("its token cannot be read") {
        state.roster.at(k_box).token.reset();
    }
    SECTION("it is registered here itself") {
        state.rows.emplace(row_id("mattbox"), RegistryRow{name("mattbox.losos.test"), port(1)});
    }
    SECTION("it is no member of the mesh") {
        state.compute_windows.clear();
    }
    SECTION("nobody holds it") {
        state.bindings.clear();
    }
    SECTION("its binding has expired") {
        state.bindings.at(k_box).epoch = PassHour(499'997);
    }
    SECTION("its gateway does not relay it") {
        state.rows.clear();
    }
    SECTION("another gateway than the one that holds it relays it") {
        state.rows.clear();
        relay(state, "beta", "mattbox");
    }
    SECTION("its gateway is no tenant") {
        state.roster.erase(label("acme"));
    }
    SECTION("its gateway's token cannot be read") {
        state.roster.at(label("acme")).token.reset();
    }
    CHECK(plan(state, k_further).empty());
}

TEST_CASE("core/route_plan: a binding that an earlier clock made holds") {
    auto state = hub();
    const auto hour = GENERATE(499'998, 499'999, 500'000, 500'001, 900'000);
    state.bindings.at(k_box).epoch = PassHour(hour);
    CHECK(plan(state) == Routes{route("mattbox.losos.test")});
}

TEST_CASE("core/route_plan: of two gateways that relay a box the one that holds it routes it") {
    auto state = hub();
    relay(state, "beta", "mattbox");
    CHECK(plan(state) == Routes{route("mattbox.losos.test", "acme")});
    state.bindings.at(k_box) = binding("beta", 500'000);
    CHECK(plan(state) == Routes{route("mattbox.losos.test", "beta")});
}

TEST_CASE("core/route_plan: a name that a row has leads to that row") {
    auto state = hub();
    relay(state, "acme", "other");
    const FurtherHosts further{{k_box, {name("other.acme.test"), name("mattbox.acme.test")}}};
    CHECK(plan(state, further) == Routes{route("mattbox.losos.test")});
}

TEST_CASE("core/route_plan: of 64 tenants with one name one has it, its own hostname first") {
    auto state = hub();
    FurtherHosts further{{k_box, {name("cloud.example.org")}}};
    for (int i = 0; i < 63; ++i) {
        const auto box = "b" + std::to_string(i);
        state.roster.emplace(label(box), tenant(box + ".losos.test"));
        state.compute_windows.emplace(label(box), ComputeWindow{});
        state.bindings.emplace(label(box), binding("acme", 500'000));
        relay(state, "acme", box);
        further[label(box)] = {name("cloud.example.org"), name("mattbox.losos.test")};
    }
    const auto routes = plan(state, further);
    CHECK(routes.size() == 65);
    const auto owner_of = [&](std::string_view domain) {
        return std::find_if(routes.begin(), routes.end(),
                            [&](const auto& each) { return each.domain == name(domain); })
            ->tenant;
    };
    CHECK(owner_of("cloud.example.org") == label("b0"));
    CHECK(owner_of("mattbox.losos.test") == k_box);
}

TEST_CASE("core/route_plan: the plan is the same whatever order names came in") {
    auto names = k_further.at(k_box);
    const auto routes = plan(hub(), k_further);
    std::sort(names.begin(), names.end());
    do {
        CHECK(plan(hub(), {{k_box, names}}) == routes);
    } while (std::next_permutation(names.begin(), names.end()));
}

TEST_CASE("core/route_plan: a gateway is told its own routes, by box and then by domain") {
    Routes routes{{name("b.test"), label("a"), label("acme")},
                  {name("c.test"), label("z"), label("beta")},
                  {name("a.test"), label("z"), label("acme")},
                  {name("a.org"), label("z"), label("acme")}};
    CHECK(routes_through(routes, label("acme")) ==
          std::vector<RelayRoute>{{"a", "b.test"}, {"z", "a.org"}, {"z", "a.test"}});
    CHECK(routes_through(routes, label("gamma")).empty());
}

TEST_CASE("core/route_plan: a route that moves is one that came and one that went") {
    const Routes before{route("a.test"), route("b.test")};
    const Routes after{route("a.test"), route("b.test", "beta"), route("c.test")};
    const auto news = compare_routes(before, after);
    CHECK(news.added == Routes{route("b.test", "beta"), route("c.test")});
    CHECK(news.removed == Routes{route("b.test")});
    CHECK(compare_routes(after, after).added.empty());
    CHECK(compare_routes(after, after).removed.empty());
}
