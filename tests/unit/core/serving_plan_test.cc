#include "core/serving_plan.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>
#include <utility>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

using Ids = std::vector<std::string>;

constexpr MonotonicTime k_start{1'000'000};

MonotonicTime after_start(long long ms) {
    return k_start + MonotonicTime{ms};
}

RosterEntry tenant(TenantKind kind, std::optional<Token> its_token, std::size_t rank = 0) {
    return {.kind = kind,
            .hostname = name("h.example"),
            .token = std::move(its_token),
            .relay_zone = std::nullopt,
            .enrolment_rank = rank};
}

/// Two listed tenants, two gateways, two enrolled boxes; who is registered is each test's own.
EdgeState edge(const std::vector<std::pair<const char*, const char*>>& hosts_by_id) {
    EdgeState state;
    for (const auto* id : {"alpha", "beta", "acme", "zone-b"}) {
        state.roster.emplace(label(id), tenant(TenantKind::listed, token(*id)));
    }
    state.roster.at(label("acme")).relay_zone = name("acme.test");
    state.roster.at(label("zone-b")).relay_zone = name("b.test");
    state.roster.emplace(label("yankee"), tenant(TenantKind::enrolled, token('y'), 1));
    state.roster.emplace(label("first"), tenant(TenantKind::enrolled, token('f'), 2));
    int number = 100;
    for (const auto& [id, host] : hosts_by_id) {
        state.rows.emplace(row_id(id), RegistryRow{name(host), port(number++)});
    }
    return state;
}

Ids ids_of(const std::vector<Router>& routers) {
    Ids ids;
    for (const auto& each : routers) {
        ids.push_back(each.id.text());
    }
    return ids;
}

Ids ids_of(const std::vector<RatholeService>& services) {
    Ids ids;
    for (const auto& each : services) {
        ids.push_back(each.id.text());
    }
    return ids;
}

Ids ids_of(const std::vector<LiveBox>& boxes) {
    Ids ids;
    for (const auto& each : boxes) {
        ids.push_back(each.id.text());
    }
    return ids;
}

RouterTls tls_of(const EdgeState& state, const CertificateRules& certificates) {
    return plan_serving(state, certificates).routers.at(0).tls;
}

const CertificateRules k_public{"le", std::nullopt};
const CertificateRules k_wildcard{"le", "dns"};
const CertificateRules k_lan{std::nullopt, std::nullopt};

RatholeService service(std::string_view id, int number, char its_token = 't') {
    return {row_id(id), token(its_token), port(number)};
}

Router router(std::string_view id, int number) {
    return {row_id(id), name("h.example"), port(number), {}};
}

} // namespace

TEST_CASE("an edge nobody is registered at serves nothing") {
    const auto plan = plan_serving(edge({}), k_public);
    CHECK(plan.routers.empty());
    CHECK(plan.services.empty());
}

TEST_CASE("a registered tenant has a router and a service with its token") {
    const auto plan = plan_serving(edge({{"beta", "beta.example"}}), k_public);
    CHECK(plan.routers == std::vector<Router>{{row_id("beta"), name("beta.example"), port(100),
                                               RouterTls{"le", std::nullopt}}});
    REQUIRE(plan.services.size() == 1);
    CHECK(plan.services[0].id == row_id("beta"));
    CHECK(plan.services[0].token.same_as(token('b')));
    CHECK(plan.services[0].port == port(100));
}

TEST_CASE("a relayed box is served with its spoke's token") {
    const auto plan = plan_serving(edge({{"zone-b.mattbox", "mattbox.b.test"}}), k_public);
    REQUIRE(plan.services.size() == 1);
    CHECK(plan.services[0].id == row_id("zone-b.mattbox"));
    CHECK(plan.services[0].token.same_as(token('z')));
    CHECK(ids_of(plan.routers) == Ids{"zone-b.mattbox"});
}

TEST_CASE("rows whose tenant has no sound token, or is unknown, get neither router nor service") {
    auto state = edge({{"alpha", "alpha.example"},
                       {"acme.a", "a.acme.test"},
                       {"gone", "gone.example"},
                       {"gone.a", "a.gone.test"},
                       {"beta", "beta.example"}});
    state.roster.at(label("alpha")).token.reset();
    state.roster.at(label("acme")).token.reset();
    const auto plan = plan_serving(state, k_public);
    CHECK(ids_of(plan.routers) == Ids{"beta"});
    CHECK(ids_of(plan.services) == Ids{"beta"});
}

TEST_CASE("of the rows of one hostname one gets the router, all keep their service") {
    struct Case {
        Ids ids;
        const char* winner;
    };
    const auto sample = GENERATE(Case{{"acme.a", "yankee"}, "yankee"},   // direct before relayed
                                 Case{{"acme.a", "zone-b.a"}, "acme.a"}, // the lowest id
                                 Case{{"beta", "alpha"}, "alpha"},       // the lowest id
                                 Case{{"yankee", "first"}, "first"},     // the lowest id
                                 Case{{"first", "beta"}, "beta"},        // listed first
                                 Case{{"acme.a", "beta", "first"}, "beta"});
    EdgeState state = edge({});
    int number = 100;
    for (const auto& id : sample.ids) {
        state.rows.emplace(row_id(id), RegistryRow{name("same.acme.test"), port(number++)});
    }
    const auto plan = plan_serving(state, k_public);
    CHECK(ids_of(plan.routers) == Ids{sample.winner});
    CHECK(plan.services.size() == sample.ids.size());
}

TEST_CASE("a row that is refused keeps no hostname from another") {
    auto state = edge({{"alpha", "same.example"}, {"beta", "same.example"}});
    state.roster.at(label("alpha")).token.reset();
    CHECK(ids_of(plan_serving(state, k_public).routers) == Ids{"beta"});
}

TEST_CASE("certificates come from where the operator said") {
    const auto direct = edge({{"beta", "beta.acme.test"}});
    const auto relayed = edge({{"acme.a", "a.acme.test"}});
    CHECK(tls_of(direct, k_public) == RouterTls{"le", std::nullopt});
    CHECK(tls_of(relayed, k_public) == RouterTls{"le", std::nullopt});
    CHECK(tls_of(direct, k_wildcard) == RouterTls{"le", std::nullopt});
    CHECK(tls_of(relayed, k_wildcard) == RouterTls{"dns", name("acme.test")});
    CHECK(tls_of(direct, k_lan) == RouterTls{});
    CHECK(tls_of(relayed, k_lan) == RouterTls{});
}

TEST_CASE("a gateway's own row asks for no wildcard certificate") {
    CHECK(tls_of(edge({{"acme", "gate.acme.test"}}), k_wildcard) == RouterTls{"le", std::nullopt});
}

TEST_CASE("the plan is the same whatever order the rows came in") {
    std::vector<std::pair<const char*, int>> rows{
        {"alpha", 1}, {"beta", 2}, {"acme.a", 3}, {"first", 4}};
    const auto plan_of = [](const auto& given) {
        EdgeState state = edge({});
        for (const auto& [id, number] : given) {
            state.rows.emplace(row_id(id), RegistryRow{name("same.example"), port(number)});
        }
        return plan_serving(state, k_public);
    };
    const auto plan = plan_of(rows);
    const auto backwards = plan_of(decltype(rows)(rows.rbegin(), rows.rend()));
    CHECK(plan.routers == backwards.routers);
    CHECK(ids_of(plan.services) == ids_of(backwards.services));
}

TEST_CASE("live boxes are the direct ones: listed by id, then enrolled by time of enrolment") {
    const auto state = edge({{"first", "first.lan"},
                             {"beta", "beta.example"},
                             {"acme.a", "a.acme.test"},
                             {"yankee", "yankee.lan"},
                             {"acme", "acme.example"},
                             {"alpha", "alpha.example"}});
    CHECK(ids_of(plan_live_boxes(state, {})) == Ids{"acme", "alpha", "beta", "yankee", "first"});
}

TEST_CASE("a live box hands on its own pass, and no other") {
    const auto state = edge({{"alpha", "alpha.example"}, {"beta", "beta.example"}});
    const auto boxes =
        plan_live_boxes(state, {{row_id("beta"), pass("7")}, {row_id("acme.alpha"), pass("8")}});
    CHECK(boxes ==
          std::vector<LiveBox>{{label("alpha"), name("alpha.example"), port(100), std::nullopt},
                               {label("beta"), name("beta.example"), port(101), pass("7")}});
}

TEST_CASE("a tenant without a sound token is not handed on") {
    auto state = edge({{"alpha", "alpha.example"}, {"beta", "beta.example"}});
    state.roster.at(label("alpha")).token.reset();
    CHECK(ids_of(plan_live_boxes(state, {})) == Ids{"beta"});
}

TEST_CASE("a box that shares its hostname is handed on all the same") {
    const auto state = edge({{"alpha", "same.example"}, {"beta", "same.example"}});
    CHECK(ids_of(plan_live_boxes(state, {})) == Ids{"alpha", "beta"});
}

TEST_CASE("a service stays as long as its router, and a second more") {
    DepartingServices departing;
    const std::vector<Router> routed{router("a", 100)};
    CHECK(ids_of(departing.still_served({service("a", 100), service("b", 101)}, {}, k_start)) ==
          Ids{"a", "b"});
    CHECK(departing.next_departure() == std::nullopt);

    CHECK(ids_of(departing.still_served({service("b", 101)}, routed, after_start(60'000))) ==
          Ids{"a", "b"});
    CHECK(departing.next_departure() == std::nullopt);

    CHECK(ids_of(departing.still_served({service("b", 101)}, {}, after_start(61'000))) ==
          Ids{"a", "b"});
    CHECK(departing.next_departure() == after_start(62'000));
    CHECK(ids_of(departing.still_served({service("b", 101)}, {}, after_start(61'999))) ==
          Ids{"a", "b"});
    CHECK(departing.next_departure() == after_start(62'000));
    CHECK(ids_of(departing.still_served({service("b", 101)}, {}, after_start(62'000))) == Ids{"b"});
    CHECK(departing.next_departure() == std::nullopt);
}

TEST_CASE("the soonest of several departures is next") {
    DepartingServices departing;
    departing.still_served({service("a", 100), service("b", 101)}, {}, k_start);
    departing.still_served({}, {router("b", 101)}, after_start(0));
    departing.still_served({}, {}, after_start(300));
    CHECK(departing.next_departure() == after_start(1000));
    CHECK(ids_of(departing.still_served({}, {}, after_start(1000))) == Ids{"b"});
    CHECK(departing.next_departure() == after_start(1300));
}

TEST_CASE("a service that returns stays, and its next second is a whole one") {
    DepartingServices departing;
    departing.still_served({service("a", 100)}, {}, k_start);
    departing.still_served({}, {}, after_start(0));
    CHECK(ids_of(departing.still_served({service("a", 100)}, {}, after_start(900))) == Ids{"a"});
    CHECK(departing.next_departure() == std::nullopt);
    departing.still_served({}, {}, after_start(2000));
    CHECK(departing.next_departure() == after_start(3000));
}

TEST_CASE("a router that comes up again meanwhile keeps the service") {
    DepartingServices departing;
    departing.still_served({service("a", 100)}, {}, k_start);
    departing.still_served({}, {}, after_start(0));
    CHECK(ids_of(departing.still_served({}, {router("a", 100)}, after_start(5000))) == Ids{"a"});
    CHECK(departing.next_departure() == std::nullopt);
}

TEST_CASE("a changed token takes the old one's place at once") {
    DepartingServices departing;
    departing.still_served({service("a", 100, 'o')}, {}, k_start);
    const auto services =
        departing.still_served({service("a", 100, 'n')}, {router("a", 100)}, after_start(1));
    REQUIRE(services.size() == 1);
    CHECK(services[0].token.same_as(token('n')));
    CHECK(departing.next_departure() == std::nullopt);
}

TEST_CASE("a port is never two services': who has it now ends the one on its way out") {
    DepartingServices departing;
    departing.still_served({service("a", 100)}, {}, k_start);
    CHECK(ids_of(departing.still_served({service("b", 100)}, {}, after_start(1))) == Ids{"b"});
    CHECK(departing.next_departure() == std::nullopt);
}

TEST_CASE("services come in id order") {
    DepartingServices departing;
    departing.still_served({service("m", 101)}, {}, k_start);
    CHECK(ids_of(departing.still_served({service("z", 102), service("a", 100)}, {},
                                        after_start(1))) == Ids{"a", "m", "z"});
}

TEST_CASE(
    "a further name of a registered tenant is a router of its own, with its own certificate") {
    const auto state = edge({{"alpha", "alpha.example"}, {"acme.a", "a.acme.test"}});
    const FurtherHosts further{{label("alpha"), {name("cloud.example.org"), name("a.acme.test")}},
                               {label("beta"), {name("beta.example.org")}}};
    const auto plan = plan_serving(state, k_wildcard, further);
    CHECK(ids_of(plan.services) == Ids{"acme.a", "alpha"});
    REQUIRE(ids_of(plan.routers) == Ids{"acme.a", "alpha", "alpha"});
    CHECK(plan.routers[2] == Router{row_id("alpha"), name("cloud.example.org"), port(100),
                                    RouterTls{"le", std::nullopt}, RouterKind::further});
}

TEST_CASE("a route is a router to the relayed box, with a certificate of its own") {
    const auto state = edge({{"acme.a", "a.acme.test"}, {"zone-b.a", "a.b.test"}});
    const std::vector<DomainRoute> routes{{name("a.acme.test"), label("a"), label("zone-b")},
                                          {name("cloud.example.org"), label("a"), label("acme")},
                                          {name("gone.example.org"), label("gone"), label("acme")}};
    const auto plan = plan_serving(state, k_wildcard, {}, routes);
    REQUIRE(ids_of(plan.routers) == Ids{"acme.a", "acme.a", "zone-b.a"});
    CHECK(plan.routers[0].tls == RouterTls{"dns", name("acme.test")});
    CHECK(plan.routers[1] == Router{row_id("acme.a"), name("cloud.example.org"), port(100),
                                    RouterTls{"le", std::nullopt}, RouterKind::further});
    CHECK(plan_serving(state, k_lan, {}, routes).routers[1].tls == RouterTls{});
}

TEST_CASE("a further name that is lost goes before the file is due, nothing else does") {
    const auto further = [](std::string_view id, std::string_view host, int number) {
        return Router{row_id(id), name(host), port(number), {}, RouterKind::further};
    };
    const std::vector<Router> standing{router("acme.a", 1), further("acme.a", "a.test", 1),
                                       further("acme.a", "b.test", 1), router("beta", 2)};
    const std::vector<Router> wanted{router("acme.a", 1), further("acme.a", "b.test", 1),
                                     router("new", 3), further("zone-b.a", "a.test", 4)};
    CHECK(without_lost_names(standing, wanted) ==
          std::vector<Router>{standing[0], standing[2], standing[3]});
    CHECK(without_lost_names(standing, standing) == std::nullopt);
    CHECK(without_lost_names({router("beta", 2)}, {}) == std::nullopt);
    CHECK(without_lost_names(standing, {})->size() == 2);
}
