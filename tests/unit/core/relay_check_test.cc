#include "core/relay_check.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

using Rows = std::map<RowId, RegistryRow>;

/// A hub on which the spoke `acme` lists boxes under its zone.
struct Hub {
    Rows rows;
    std::vector<DnsName> reserved{name("www.acme.losos.cfd")};
    std::string ports = "20000-20009";
    std::map<Port, RowId> resting{};
    std::size_t resting_here = 0;

    RelayVerdict relay(const std::vector<RelayedBox>& listed) const {
        PortPool pool(port_range(ports), rows, resting);
        return check_relay({label("acme"), name("acme.losos.cfd"), rows, reserved, resting_here},
                           listed, pool);
    }
};

RelayedBox box(const std::string& id, const std::string& host) {
    return {id, host + ".acme.losos.cfd", std::nullopt};
}

RegistryRow row(const std::string& host, int number) {
    return {name(host), port(number)};
}

} // namespace

TEST_CASE("a box under the zone is accepted and gets a port") {
    const auto verdict = Hub{}.relay({box("mattbox", "mattbox")});
    CHECK(verdict.refused.empty());
    CHECK(verdict.accepted == std::vector<AcceptedBox>{
                                  {label("mattbox"), name("mattbox.acme.losos.cfd"), port(20000)}});
    CHECK(verdict.rows == Rows{{row_id("acme.mattbox"), row("mattbox.acme.losos.cfd", 20000)}});
}

TEST_CASE("a box's hostname is folded and need not be its id") {
    const auto verdict = Hub{}.relay({{"mattbox", "Blog.ACME.losos.cfd", std::nullopt}});
    REQUIRE(verdict.accepted.size() == 1);
    CHECK(verdict.accepted.front().hostname == name("blog.acme.losos.cfd"));
}

TEST_CASE("a box that breaks a rule is refused with a reason, the others are not") {
    struct Case {
        RelayedBox listed;
        const char* reason;
    };
    const auto sample = GENERATE(
        Case{{"", "a.acme.losos.cfd", {}}, "the id is not a DNS label"},
        Case{{"A", "a.acme.losos.cfd", {}}, "the id is not a DNS label"},
        Case{{"a.b", "a.acme.losos.cfd", {}}, "the id is not a DNS label"},
        Case{{"a\"\n", "a.acme.losos.cfd", {}}, "the id is not a DNS label"},
        Case{{"a", "", {}}, "the hostname is not one label under acme.losos.cfd"},
        Case{{"a", "acme.losos.cfd", {}}, "the hostname is not one label under acme.losos.cfd"},
        Case{{"a", "b.a.acme.losos.cfd", {}}, "the hostname is not one label under acme.losos.cfd"},
        Case{{"a", "a.other.cfd", {}}, "the hostname is not one label under acme.losos.cfd"},
        Case{{"a", "a_b.acme.losos.cfd", {}}, "the hostname is not one label under acme.losos.cfd"},
        Case{{"a", "*.acme.losos.cfd", {}}, "the hostname is not one label under acme.losos.cfd"},
        Case{{"a", "WWW.acme.losos.cfd", {}}, "the hostname is reserved"});
    const auto verdict = Hub{}.relay({sample.listed, box("sound", "sound")});
    CHECK(verdict.refused == std::vector<RefusedBox>{{sample.listed.id, sample.reason}});
    REQUIRE(verdict.accepted.size() == 1);
    CHECK(verdict.accepted.front().id == label("sound"));
}

TEST_CASE("an id listed twice counts once") {
    const auto verdict = Hub{}.relay({box("a", "one"), box("a", "two"), box("b", "two")});
    CHECK(verdict.refused == std::vector<RefusedBox>{{"a", "the id is listed twice"}});
    REQUIRE(verdict.accepted.size() == 2);
    CHECK(verdict.accepted[0].hostname == name("one.acme.losos.cfd"));
    CHECK(verdict.accepted[1].hostname == name("two.acme.losos.cfd"));
}

TEST_CASE("a hostname listed twice goes to the first, whatever its case") {
    const auto verdict = Hub{}.relay({box("a", "one"), box("b", "ONE")});
    CHECK(verdict.refused == std::vector<RefusedBox>{{"b", "the hostname is listed twice"}});
    CHECK(verdict.rows.size() == 1);
}

TEST_CASE("a refused box blocks no later one") {
    const auto verdict = Hub{}.relay({box("a", "www"), box("a", "one")});
    CHECK(verdict.refused.size() == 1);
    REQUIRE(verdict.accepted.size() == 1);
    CHECK(verdict.accepted.front().hostname == name("one.acme.losos.cfd"));
}

TEST_CASE("a hostname another gateway holds stays there") {
    Hub hub;
    hub.rows = {{row_id("other.x"), row("mattbox.acme.losos.cfd", 20000)}};
    const auto verdict = hub.relay({box("mattbox", "mattbox")});
    CHECK(verdict.accepted.empty());
    CHECK(verdict.rows.empty());
    CHECK(verdict.refused ==
          std::vector<RefusedBox>{{"mattbox", "another gateway holds the hostname"}});
}

TEST_CASE("a gateway whose name starts with this one's is another") {
    Hub hub;
    hub.rows = {{row_id("acme-two.x"), row("mattbox.acme.losos.cfd", 20000)}};
    CHECK(hub.relay({box("mattbox", "mattbox")}).accepted.empty());
}

TEST_CASE("a hostname a direct tenant holds may be relayed: the router decides") {
    Hub hub;
    hub.rows = {{row_id("mattbox"), row("mattbox.acme.losos.cfd", 20000)}};
    const auto verdict = hub.relay({box("mattbox", "mattbox")});
    REQUIRE(verdict.accepted.size() == 1);
    CHECK(verdict.accepted.front().rathole_port == port(20001));
}

TEST_CASE("a row keeps its port, also under a new hostname") {
    Hub hub;
    hub.rows = {{row_id("acme.a"), row("a.acme.losos.cfd", 20007)},
                {row_id("acme.b"), row("b.acme.losos.cfd", 20003)}};
    const auto verdict = hub.relay({box("b", "renamed"), box("a", "a"), box("c", "c")});
    CHECK(verdict.refused.empty());
    CHECK(verdict.rows == Rows{{row_id("acme.a"), row("a.acme.losos.cfd", 20007)},
                               {row_id("acme.b"), row("renamed.acme.losos.cfd", 20003)},
                               {row_id("acme.c"), row("c.acme.losos.cfd", 20000)}});
}

TEST_CASE("two boxes of one gateway may swap their hostnames") {
    Hub hub;
    hub.rows = {{row_id("acme.a"), row("a.acme.losos.cfd", 20000)},
                {row_id("acme.b"), row("b.acme.losos.cfd", 20001)}};
    CHECK(hub.relay({box("a", "b"), box("b", "a")}).refused.empty());
}

TEST_CASE("rows the list leaves out are not in the verdict") {
    Hub hub;
    hub.rows = {{row_id("acme.a"), row("a.acme.losos.cfd", 20000)},
                {row_id("direct"), row("direct.example", 20001)}};
    CHECK(hub.relay({}).rows.empty());
    CHECK(hub.relay({box("b", "b")}).rows.size() == 1);
}

TEST_CASE("where no port is free that box is refused, a row with a port is not") {
    Hub hub;
    hub.ports = "20000-20001";
    hub.rows = {{row_id("acme.old"), row("old.acme.losos.cfd", 20001)}};
    const auto verdict = hub.relay({box("a", "a"), box("b", "b"), box("old", "old")});
    CHECK(verdict.refused == std::vector<RefusedBox>{{"b", "no port is free"}});
    CHECK(verdict.accepted.size() == 2);
}

TEST_CASE("a refused box takes no port") {
    Hub hub;
    hub.ports = "20000-20000";
    const auto verdict = hub.relay({box("a", "www"), box("b", "b")});
    REQUIRE(verdict.accepted.size() == 1);
    CHECK(verdict.accepted.front().rathole_port == port(20000));
}

TEST_CASE("a gateway that gave up many boxes gets no further port until theirs have rested") {
    Hub hub;
    hub.rows = {{row_id("acme.kept"), row("kept.acme.losos.cfd", 20000)}};
    hub.resting = {{port(20001), row_id("acme.back")}};
    hub.resting_here = k_resting_max;
    const auto verdict = hub.relay({box("kept", "kept"), box("new", "new"), box("back", "back")});
    CHECK(verdict.accepted ==
          std::vector<AcceptedBox>{{label("kept"), name("kept.acme.losos.cfd"), port(20000)},
                                   {label("back"), name("back.acme.losos.cfd"), port(20001)}});
    REQUIRE(verdict.refused.size() == 1);
    CHECK(verdict.refused.front().reason ==
          "too many ports of boxes this gateway gave up still rest");
    hub.resting_here = k_resting_max - 1;
    CHECK(hub.relay({box("new", "new")}).accepted.front().rathole_port == port(20002));
}

TEST_CASE("a pass counts with the entry that is accepted, not with a refused one of the same id") {
    const auto verdict = Hub{}.relay({{"one", "one.elsewhere.test", pass("1", 'a')},
                                      {"one", "one.acme.losos.cfd", pass("1", 'b')},
                                      {"one", "two.acme.losos.cfd", pass("1", 'c')},
                                      {"bare", "bare.acme.losos.cfd", std::nullopt},
                                      {"odd", "odd.acme.losos.cfd", std::nullopt, true}});
    REQUIRE(verdict.passes.size() == 3);
    CHECK(verdict.passes[0].box == label("one"));
    CHECK(verdict.passes[0].pass == pass("1", 'b'));
    CHECK(verdict.passes[1].pass == std::nullopt);
    CHECK_FALSE(verdict.passes[1].odd_pass);
    CHECK(verdict.passes[2].odd_pass);
}
