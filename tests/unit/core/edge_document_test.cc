#include "core/edge_document.h"

#include "unit/core/path_world.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const EdgeWay k_way = lan_way("gw.local", "192.168.1.2");
const LanEdge k_edge = lan_edge("gw.local", {"192.168.1.2", "fd00::2"});

EdgeDocument describe_world(const PathWorld& world, const std::vector<HttpUrl>& official = {}) {
    return describe_edges(world.table, world.state, official, {world.now, UnixTime(1'800'000'060)});
}

} // namespace

TEST_CASE("core/edge_document: a box at home") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    const auto document = describe_world(world, {hub_way().url});
    CHECK(document.reachable);
    CHECK(document.official);
    CHECK(document.lan_searched);
    CHECK(document.configured_url == hub_way().url);
    CHECK(document.checked_at == UnixTime(1'800'000'060));
    REQUIRE(document.path);
    CHECK(document.path->name == "gw.local");
    CHECK(document.path->url == k_way.url);
    CHECK(document.path->source == PathSource::lan);
    CHECK(document.reason == "it is the first edge on the LAN that answers");
    REQUIRE(document.edges.size() == 2);
    CHECK(document.edges[0].official);
    CHECK_FALSE(document.edges[1].official);
    REQUIRE(document.candidates.size() == 2);
    CHECK(document.candidates[1].state == HealthState::up);
    REQUIRE(document.candidates[1].probe);
    CHECK(document.candidates[1].probe->result == ProbeResult::ok);
    CHECK(document.candidates[1].probe->at >= UnixTime(1'800'000'058));
}

TEST_CASE("core/edge_document: the LAN counts as searched only while Avahi is there") {
    auto world = world_with_hub();
    world.run_to(60'000);
    CHECK_FALSE(describe_world(world).lan_searched);
    world.table.set_search(LanSearch::unavailable, world.now);
    CHECK_FALSE(describe_world(world).lan_searched);
    world.set_lan({k_edge});
    CHECK(describe_world(world).lan_searched);
    world.table.set_search(LanSearch::unavailable, world.now);
    CHECK_FALSE(describe_world(world).lan_searched);
}

TEST_CASE("core/edge_document: an edge that does not answer is a candidate, but not in reach") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.meets = [](const auto&, auto) {
        return k_refused;
    };
    world.run_to(60'000);
    const auto document = describe_world(world, {hub_way().url});
    CHECK_FALSE(document.reachable);
    CHECK_FALSE(document.official);
    CHECK(document.edges.empty());
    CHECK_FALSE(document.path);
    CHECK(document.reason == "no edge answers");
    REQUIRE(document.candidates.size() == 2);
    CHECK(document.candidates[0].state == HealthState::down);
    CHECK(document.candidates[0].probe->result == ProbeResult::no_answer);
}

TEST_CASE("core/edge_document: an edge that is no use says why, and until when") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    world.table.set_refusals({{k_way.url, 403, UnixTime(1'800'000'060)}}, UnixTime(1'800'000'060),
                             world.now);
    world.run_for(10);
    const auto document = describe_world(world);
    CHECK(document.path->source == PathSource::configured);
    CHECK(document.reason == "it answers, and no edge on the LAN can be used; the one before was "
                             "left: it refuses this box");
    CHECK(document.edges.size() == 1);
    REQUIRE(document.candidates[1].ban);
    CHECK(document.candidates[1].ban->reason == NoUse::refused);
    CHECK(document.candidates[1].ban->until == UnixTime(1'800'000'060 + 599));
}

TEST_CASE("core/edge_document: what is doubtful stands beside why the path was taken") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    world.table.probe_sent(k_way, world.now);
    world.table.probed(k_way, ProbeResult::no_answer, world.now, world.now);
    world.state.update(world.table, world.now);
    CHECK(describe_world(world).reason ==
          "it is the first edge on the LAN that answers; now: its last probe was lost, and it is "
          "being asked again");
}

TEST_CASE("core/edge_document: sharing needs an edge, the market an official one") {
    EdgeDocument document;
    document.reason = "no edge answers";
    CHECK(judge_sharing(document) == Gate{false, "no edge answers"});
    CHECK(judge_market(document) == Gate{false, "no official edge is reachable"});
    document.reason.clear();
    CHECK(judge_sharing(document).reason == "no edge answers");
    document.reachable = true;
    CHECK(judge_sharing(document).open);
    CHECK_FALSE(judge_market(document).open);
    document.official = true;
    CHECK(judge_market(document) == Gate{true, "an official edge is reachable"});
}
