#include "core/edge_state.h"

#include "unit/core/make_passes.h"

#include <optional>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

using Rows = std::map<RowId, RegistryRow>;

constexpr Instant k_now{MonotonicTime{5'000'000}, UnixTime{1'700'000'000}};

RegistryRow row(std::string_view host, int number) {
    return {name(host), port(number)};
}

ListedWithToken listed(std::string_view id, std::string_view zone = {}) {
    return {{label(id), name(std::string(id) + ".example"), "/t", false, false,
             zone.empty() ? std::nullopt : std::optional(name(zone))},
            token('t')};
}

EnrolledWithToken enrolled(std::string_view id) {
    return {{label(id), name(std::string(id) + ".lan")}, token('t')};
}

/// An edge that knows two listed tenants, a gateway and two boxes that enrolled.
struct Edge {
    EdgeState state{merge_roster({listed("alpha"), listed("beta"), listed("acme", "acme.test")},
                                 {enrolled("first"), enrolled("second")}),
                    {},
                    {},
                    {}};
    EdgeRules rules{.ports = port_range("100-109"),
                    .port_rest = Duration{120'000},
                    .reserved = {name("edge.example"), name("www.acme.test")},
                    .enrolment_open = true,
                    .enrol_max = 4};
    std::optional<EdgeBatch> open_batch;

    EdgeBatch& batch() {
        return open_batch ? *open_batch : open_batch.emplace(state, rules, k_now);
    }
    /// What follows is decided in a batch of its own.
    void next_batch() { open_batch.reset(); }

    /// What a call with the tenant's own token, or another, is answered.
    RegisterOutcome call(const std::string& id, const std::string& host, char its_token = 't') {
        return batch().register_tenant({id, std::string(40, its_token), host, {}});
    }
    DeregisterOutcome leave(const std::string& id, char its_token = 't') {
        return batch().deregister(id, std::string(40, its_token));
    }
    RelayOutcome relay(const std::vector<RelayedBox>& boxes, const std::string& id = "acme",
                       char its_token = 't') {
        return batch().relay({id, std::string(40, its_token), boxes});
    }
};

RelayedBox box(const std::string& id) {
    return {id, id + ".acme.test", std::nullopt};
}

std::optional<RelayRefusal> refusal_of(const RelayOutcome& outcome) {
    const auto* refusal = std::get_if<RelayRefusal>(&outcome);
    return refusal != nullptr ? std::optional(*refusal) : std::nullopt;
}

std::vector<std::string> accepted_ids(const RelayOutcome& outcome) {
    std::vector<std::string> ids;
    for (const auto& each : std::get<RelayDecision>(outcome).answer.accepted) {
        ids.push_back(each.id.text());
    }
    return ids;
}

} // namespace

TEST_CASE("a listed tenant registers under its hostname, whatever its case") {
    const auto* host = GENERATE("alpha.example", "ALPHA.Example");
    Edge edge;
    CHECK(edge.call("alpha", host) == RegisterOutcome(port(100)));
    CHECK(edge.state.rows == Rows{{row_id("alpha"), row("alpha.example", 100)}});
    CHECK(edge.batch().enrolments().empty());
}

TEST_CASE("a registration that is refused changes nothing") {
    struct Case {
        std::string id;
        std::string host;
        char its_token;
        RegisterRefusal refusal;
    };
    const auto sample =
        GENERATE(Case{"alpha", "alpha.example", 'x', RegisterRefusal::unauthorized},
                 Case{"alpha", "other.example", 'x', RegisterRefusal::unauthorized},
                 Case{"alpha", "other.example", 't', RegisterRefusal::hostname_fixed},
                 Case{"alpha", "beta.example", 't', RegisterRefusal::hostname_fixed},
                 Case{"alpha", "odd..name", 't', RegisterRefusal::odd_hostname},
                 Case{"first", "first.lan", 'x', RegisterRefusal::unauthorized},
                 Case{"first", "odd_name", 't', RegisterRefusal::odd_hostname},
                 Case{"first", "second.lan", 't', RegisterRefusal::hostname_held},
                 Case{"first", "Alpha.EXAMPLE", 't', RegisterRefusal::hostname_held},
                 Case{"first", "edge.example", 't', RegisterRefusal::hostname_held},
                 Case{"UPPER", "new.lan", 'n', RegisterRefusal::odd_id},
                 Case{"", "new.lan", 'n', RegisterRefusal::odd_id},
                 Case{"acme.mattbox", "new.lan", 'n', RegisterRefusal::odd_id},
                 Case{"new", "", 'n', RegisterRefusal::odd_hostname},
                 Case{"new", "new_lan", 'n', RegisterRefusal::odd_hostname},
                 Case{"new", "new.lan", '\t', RegisterRefusal::odd_token},
                 Case{"new", "new.lan", '\x01', RegisterRefusal::odd_token},
                 Case{"new", "Alpha.example", 'n', RegisterRefusal::hostname_held},
                 Case{"new", "first.lan", 'n', RegisterRefusal::hostname_held},
                 Case{"new", "EDGE.example", 'n', RegisterRefusal::hostname_held});
    CAPTURE(sample.id, sample.host);
    Edge edge;
    CHECK(edge.call(sample.id, sample.host, sample.its_token) == RegisterOutcome(sample.refusal));
    CHECK(edge.state.rows.empty());
    CHECK(edge.state.roster.size() == 5);
    CHECK(edge.state.roster.at(label("first")).hostname == name("first.lan"));
    CHECK(edge.batch().enrolments().empty());
}

TEST_CASE("a short token cannot enrol") {
    Edge edge;
    CHECK(edge.batch().register_tenant({"new", std::string(31, 'n'), "new.lan", {}}) ==
          RegisterOutcome(RegisterRefusal::odd_token));
}

TEST_CASE("where enrolment is closed a stranger is unauthorized, whatever it sends") {
    const auto* id = GENERATE("new", "UPPER", "");
    Edge edge;
    edge.rules.enrolment_open = false;
    CHECK(edge.call(id, "new.lan", 'n') == RegisterOutcome(RegisterRefusal::unauthorized));
    CHECK(edge.state.rows.empty());
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(port(100)));
}

TEST_CASE("a tenant whose token file is faulty is refused, not enrolled") {
    Edge edge;
    edge.state.roster.at(label("alpha")).token.reset();
    CHECK(edge.call("alpha", "alpha.example") == RegisterOutcome(RegisterRefusal::unauthorized));
}

TEST_CASE("a stranger enrols, is known from then on, and ranks last") {
    Edge edge;
    CHECK(edge.call("new", "New.lan", 'n') == RegisterOutcome(port(100)));
    const auto& entry = edge.state.roster.at(label("new"));
    CHECK(entry.kind == TenantKind::enrolled);
    CHECK(entry.hostname == name("new.lan"));
    CHECK(entry.relay_zone == std::nullopt);
    CHECK_FALSE(entry.cluster);
    CHECK_FALSE(entry.market);
    CHECK(entry.enrolment_rank > edge.state.roster.at(label("second")).enrolment_rank);
    REQUIRE(edge.batch().enrolments().added.size() == 1);
    CHECK(edge.batch().enrolments().added.front().first ==
          EnrolledTenant{label("new"), name("new.lan")});
    CHECK(edge.batch().enrolments().added.front().second.same_as(token('n')));
    CHECK(edge.batch().enrolments().renamed.empty());
    CHECK(refusal_of(edge.relay({box("a")}, "new", 'n')) == RelayRefusal::no_relay_zone);
}

TEST_CASE("the first box of all ranks from one, like one that was read from disk") {
    Edge edge;
    edge.state.roster.clear();
    edge.call("new", "new.lan", 'n');
    CHECK(edge.state.roster.at(label("new")).enrolment_rank == 1);
}

TEST_CASE("of two newcomers of one id the first contact fixes the token") {
    Edge edge;
    CHECK(edge.call("new", "new.lan", 'n') == RegisterOutcome(port(100)));
    CHECK(edge.call("new", "new.lan", 'm') == RegisterOutcome(RegisterRefusal::unauthorized));
    CHECK(edge.call("new", "new.lan", 'n') == RegisterOutcome(port(100)));
    CHECK(edge.batch().enrolments().added.size() == 1);
}

TEST_CASE("of two newcomers of one hostname the first has it") {
    Edge edge;
    CHECK(edge.call("new", "new.lan", 'n') == RegisterOutcome(port(100)));
    CHECK(edge.call("late", "NEW.lan", 'l') == RegisterOutcome(RegisterRefusal::hostname_held));
    CHECK(edge.state.roster.count(label("late")) == 0);
}

TEST_CASE("as many boxes enrol as the limit says, listed tenants not counted") {
    Edge edge;
    CHECK(edge.call("c", "c.lan", 'n') == RegisterOutcome(port(100)));
    CHECK(edge.call("d", "d.lan", 'n') == RegisterOutcome(port(101)));
    CHECK(edge.call("e", "e.lan", 'n') == RegisterOutcome(RegisterRefusal::enrolment_full));
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(port(102)));
    CHECK(edge.batch().enrolments().added.size() == 2);
}

TEST_CASE("a stranger for whom no port is left does not enrol") {
    Edge edge;
    edge.rules.ports = port_range("100-100");
    edge.call("alpha", "alpha.example");
    CHECK(edge.call("new", "new.lan", 'n') == RegisterOutcome(RegisterRefusal::no_port));
    CHECK(edge.state.roster.count(label("new")) == 0);
    CHECK(edge.batch().enrolments().empty());
}

TEST_CASE("an enrolled box renames itself and keeps its port; its old name is free") {
    Edge edge;
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(port(100)));
    CHECK(edge.call("first", "Other.lan") == RegisterOutcome(port(100)));
    CHECK(edge.state.rows == Rows{{row_id("first"), row("other.lan", 100)}});
    CHECK(edge.state.roster.at(label("first")).hostname == name("other.lan"));
    CHECK(edge.batch().enrolments().renamed ==
          std::vector<EnrolledTenant>{{label("first"), name("other.lan")}});
    CHECK(edge.call("second", "first.lan") == RegisterOutcome(port(101)));
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(RegisterRefusal::hostname_held));
    CHECK(edge.batch().enrolments().added.empty());
}

TEST_CASE(
    "an enrolled box whose name is reserved by now has to take another, a listed one has not") {
    Edge edge;
    edge.rules.reserved = {name("first.lan"), name("alpha.example")};
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(RegisterRefusal::hostname_held));
    CHECK(edge.call("alpha", "alpha.example") == RegisterOutcome(port(100)));
    CHECK(edge.call("first", "other.lan") == RegisterOutcome(port(101)));
}

TEST_CASE("a rename that finds no port renames nothing") {
    Edge edge;
    edge.rules.ports = port_range("100-100");
    edge.call("alpha", "alpha.example");
    CHECK(edge.call("first", "other.lan") == RegisterOutcome(RegisterRefusal::no_port));
    CHECK(edge.state.roster.at(label("first")).hostname == name("first.lan"));
    CHECK(edge.batch().enrolments().empty());
}

TEST_CASE("the operator's row decides where a box of that id enrolled before") {
    Edge edge;
    edge.state.roster = merge_roster({listed("first")}, {enrolled("first")});
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(RegisterRefusal::hostname_fixed));
    CHECK(edge.call("first", "first.example") == RegisterOutcome(port(100)));
}

TEST_CASE("a tenant that registers again keeps its port") {
    Edge edge;
    edge.call("alpha", "alpha.example");
    edge.call("beta", "beta.example");
    CHECK(edge.call("alpha", "alpha.example") == RegisterOutcome(port(100)));
    edge.next_batch();
    CHECK(edge.call("beta", "beta.example") == RegisterOutcome(port(101)));
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(port(102)));
}

TEST_CASE("a port that rests goes back to its own tenant at once and to no other") {
    const bool same_batch = GENERATE(true, false);
    Edge edge;
    edge.call("alpha", "alpha.example");
    edge.call("beta", "beta.example");
    REQUIRE(edge.leave("alpha") == DeregisterOutcome::done);
    if (!same_batch) {
        edge.next_batch();
    }
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(port(102)));
    CHECK(edge.call("alpha", "alpha.example") == RegisterOutcome(port(100)));
    CHECK(edge.state.resting.empty());
}

TEST_CASE("where every port is held or rests none is left") {
    Edge edge;
    edge.rules.ports = port_range("100-101");
    edge.call("alpha", "alpha.example");
    edge.call("beta", "beta.example");
    edge.leave("alpha");
    CHECK(edge.call("first", "first.lan") == RegisterOutcome(RegisterRefusal::no_port));
    CHECK(edge.call("beta", "beta.example") == RegisterOutcome(port(101)));
}

TEST_CASE("who leaves has to prove itself") {
    Edge edge;
    edge.call("alpha", "alpha.example");
    CHECK(edge.leave("alpha", 'x') == DeregisterOutcome::unauthorized);
    CHECK(edge.leave("nobody") == DeregisterOutcome::unauthorized);
    CHECK(edge.leave("ALPHA") == DeregisterOutcome::unauthorized);
    CHECK(edge.state.rows.size() == 1);
    CHECK(edge.state.resting.empty());
}

TEST_CASE("a known tenant may leave, also when it is not registered") {
    Edge edge;
    CHECK(edge.leave("alpha") == DeregisterOutcome::done);
    CHECK(edge.state.resting.empty());
    edge.call("alpha", "alpha.example");
    CHECK(edge.leave("alpha") == DeregisterOutcome::done);
    CHECK(edge.state.rows.empty());
    REQUIRE(edge.state.resting.size() == 1);
    const auto& [its_port, rest] = *edge.state.resting.begin();
    CHECK(its_port == port(100));
    CHECK(rest.id == row_id("alpha"));
    CHECK(rest.until == k_now.unix + UnixTime{120});
    CHECK(rest.free_at == std::nullopt);
    CHECK(edge.state.roster.count(label("alpha")) == 1);
}

TEST_CASE("a gateway that leaves takes its relayed boxes along no further than its own row") {
    Edge edge;
    edge.relay({box("a")});
    edge.call("acme", "acme.example");
    CHECK(edge.leave("acme") == DeregisterOutcome::done);
    CHECK(edge.state.rows == Rows{{row_id("acme.a"), row("a.acme.test", 100)}});
}

TEST_CASE("only a tenant with a relay zone relays") {
    Edge edge;
    CHECK(refusal_of(edge.relay({}, "alpha")) == RelayRefusal::no_relay_zone);
    CHECK(refusal_of(edge.relay({}, "first")) == RelayRefusal::no_relay_zone);
    CHECK(refusal_of(edge.relay({}, "acme", 'x')) == RelayRefusal::unauthorized);
    CHECK(refusal_of(edge.relay({}, "nobody")) == RelayRefusal::unauthorized);
    CHECK(refusal_of(edge.relay({}, "acme.mattbox")) == RelayRefusal::unauthorized);
    CHECK(refusal_of(edge.relay({}, "ACME")) == RelayRefusal::unauthorized);
    CHECK(edge.state.roster.size() == 5);
}

TEST_CASE("the relayed boxes become exactly the accepted list and keep their ports") {
    Edge edge;
    edge.call("alpha", "alpha.example");
    CHECK(accepted_ids(edge.relay({box("a"), box("b"), box("www"), box("c")})) ==
          std::vector<std::string>{"a", "b", "c"});
    edge.next_batch();
    const auto outcome = edge.relay({box("d"), {"c", "Renamed.acme.test", {}}, box("b")});
    CHECK(accepted_ids(outcome) == std::vector<std::string>{"d", "c", "b"});
    CHECK(edge.state.rows == Rows{{row_id("acme.b"), row("b.acme.test", 102)},
                                  {row_id("acme.c"), row("renamed.acme.test", 103)},
                                  {row_id("acme.d"), row("d.acme.test", 104)},
                                  {row_id("alpha"), row("alpha.example", 100)}});
    REQUIRE(edge.state.resting.size() == 1);
    CHECK(edge.state.resting.at(port(101)).id == row_id("acme.a"));
    CHECK(edge.state.resting.at(port(101)).free_at == std::nullopt);
}

TEST_CASE("a box that is refused now goes, and has its port back when it is accepted again") {
    Edge edge;
    edge.relay({box("a"), box("b")});
    const auto refused = edge.relay({{"a", "a.elsewhere.test", {}}, box("b")});
    CHECK(std::get<RelayDecision>(refused).answer.refused.size() == 1);
    CHECK(edge.state.rows.size() == 1);
    CHECK(edge.call("alpha", "alpha.example") == RegisterOutcome(port(102)));
    edge.relay({box("b"), box("a")});
    CHECK(edge.state.rows.at(row_id("acme.a")) == row("a.acme.test", 100));
    CHECK(edge.state.resting.empty());
}

TEST_CASE("a relayed box is not a tenant: no other call knows it") {
    Edge edge;
    edge.relay({box("mattbox")});
    CHECK(edge.leave("mattbox") == DeregisterOutcome::unauthorized);
    CHECK(edge.leave("acme.mattbox") == DeregisterOutcome::unauthorized);
    edge.rules.enrolment_open = false;
    CHECK(edge.call("mattbox", "mattbox.acme.test") ==
          RegisterOutcome(RegisterRefusal::unauthorized));
}

TEST_CASE("a gateway that lists nobody is left with nobody; other gateways keep theirs") {
    Edge edge;
    edge.state.roster = merge_roster({listed("acme", "acme.test"), listed("acme-b", "b.test")}, {});
    edge.relay({box("a"), box("b")});
    edge.relay({{"a", "a.b.test", {}}}, "acme-b");
    CHECK(accepted_ids(edge.relay({})).empty());
    CHECK(edge.state.rows == Rows{{row_id("acme-b.a"), row("a.b.test", 102)}});
    CHECK(edge.state.resting.size() == 2);
}

TEST_CASE("a relayed box is bound by its pass, where the edge has a key to judge it with") {
    Edge edge;
    const auto now = k_now.unix;
    const RelayedBox shown{"a", "a.acme.test", pass_key().pass_for(label("a"), now)};
    edge.relay({shown});
    CHECK(edge.state.bindings.empty());
    edge.rules.pass_key = pass_key();
    const auto bound = std::get<RelayDecision>(edge.relay({shown})).bindings;
    CHECK(bound.moves == std::vector<BindingMove>{{label("a"), std::nullopt, label("acme")}});
    CHECK(edge.state.bindings == Bindings{{label("a"), {label("acme"), pass_hour_of(now)}}});
    // The row of the list before says that it is no news to this gateway.
    edge.state.bindings.at(label("a")).spoke = label("acme-b");
    const auto refused = std::get<RelayDecision>(edge.relay({shown})).bindings.refused;
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].why == PassRefusal::same_hour);
}
