#include "core/probe_plan.h"

#include "unit/core/path_world.h"

#include <algorithm>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const EdgeWay k_way = lan_way("gw.local", "192.168.1.2");
const LanEdge k_edge = lan_edge("gw.local", {"192.168.1.2"});
constexpr Duration k_interval{2000};

} // namespace

TEST_CASE("core/probe_plan: everybody new is probed at once, with the key of those on the LAN") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    const auto plan = plan_probes(world.table, std::nullopt, k_interval, at(0));
    REQUIRE(plan.probes.size() == 2);
    CHECK(plan.probes[0] == PlannedProbe{hub_way(), Duration(3000), KeyCheck::no});
    CHECK(plan.probes[1] == PlannedProbe{k_way, Duration(800), KeyCheck::yes});
    CHECK_FALSE(plan.tunnel);
}

TEST_CASE("core/probe_plan: the LAN edge in use every interval, its key and the others rarely") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    REQUIRE(world.path() == "192.168.1.2");
    int lan = 0;
    int hub = 0;
    int with_key = 0;
    world.meets = [&](const EdgeWay& way, MonotonicTime) {
        (way == k_way ? lan : hub) += 1;
        return k_ok;
    };
    const auto plan = plan_probes(world.table, world.state.way(), k_interval, at(62'000));
    for (const auto& probe : plan.probes) {
        with_key += probe.key == KeyCheck::yes ? 1 : 0;
    }
    CHECK(with_key == 0);
    world.run_to(120'000);
    CHECK(lan == 30);
    CHECK(hub == 2);
}

TEST_CASE("core/probe_plan: the configured edge is asked rarely only while a LAN edge is well") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(70'500);
    const auto asked_by = [&](long long ms) {
        const auto plan = plan_probes(world.table, world.state.way(), k_interval, at(ms));
        return std::any_of(plan.probes.begin(), plan.probes.end(),
                           [](const PlannedProbe& probe) { return probe.way == hub_way(); });
    };
    const auto sent = world.table.find(hub_way())->last_sent->count();
    CHECK_FALSE(asked_by(sent + 25'000));
    CHECK(asked_by(sent + 30'000));
    world.table.probe_sent(k_way, at(70'500));
    world.table.probed(k_way, ProbeResult::no_answer, at(70'500), at(71'300));
    CHECK(asked_by(71'300));
}

TEST_CASE("core/probe_plan: idle with one LAN edge the program wakes less than twice a second") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    world.wake_ups = 0;
    world.run_for(600'000);
    // A tick and its answer each: 0.5 ticks a second, others and tunnel port in the same ticks.
    CHECK(world.wake_ups <= 600 * 11 / 10);
}

TEST_CASE("core/probe_plan: a probe of the edge in use that is silent for 400 ms is repeated") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(10'500);
    std::vector<MonotonicTime> sent;
    world.meets = [&](const EdgeWay& way, MonotonicTime now) {
        if (way == k_way) {
            sent.push_back(now);
            return k_cut;
        }
        return k_ok;
    };
    world.run_for(3000);
    REQUIRE(sent.size() >= 2);
    CHECK(sent[1] - sent[0] == Duration(400));
}

TEST_CASE("core/probe_plan: an edge whose connection ended is asked again, after a pause") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'500);
    const auto sent = *world.table.find(k_way)->last_sent;
    const auto asks_at = [&world](MonotonicTime now) {
        const auto plan = plan_probes(world.table, k_way, k_interval, now);
        return std::any_of(plan.probes.begin(), plan.probes.end(),
                           [](const auto& probe) { return probe.way == k_way; });
    };
    CHECK_FALSE(asks_at(sent + Duration(1000)));
    world.table.cut_off(k_way);
    CHECK_FALSE(asks_at(sent + Duration(199)));
    CHECK(asks_at(sent + Duration(200)));
    world.table.probe_sent(k_way, sent + Duration(200));
    world.table.probed(k_way, ProbeResult::ok, sent + Duration(200), sent + Duration(202));
    CHECK_FALSE(asks_at(sent + Duration(1500)));
}

TEST_CASE("core/probe_plan: the key is compared again when the edge in use may be another") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'500);
    const auto sent = *world.table.find(k_way)->last_sent;
    const auto key_at = [&](MonotonicTime now) {
        const auto plan = plan_probes(world.table, world.state.way(), k_interval, now);
        const auto probe = std::find_if(plan.probes.begin(), plan.probes.end(),
                                        [](const auto& each) { return each.way == k_way; });
        REQUIRE(probe != plan.probes.end());
        return probe->key;
    };
    CHECK(key_at(sent + k_interval) == KeyCheck::no);
    SECTION("its connection has ended") {
        world.table.cut_off(k_way);
        CHECK(key_at(sent + Duration(200)) == KeyCheck::yes);
        world.table.probe_sent(k_way, sent + Duration(200));
        world.table.probed(k_way, ProbeResult::ok, sent + Duration(200), sent + Duration(202));
        CHECK(key_at(sent + Duration(200) + k_interval) == KeyCheck::no);
    }
    SECTION("it was silent") {
        world.table.probe_sent(k_way, sent + k_interval);
        world.table.probed(k_way, ProbeResult::no_answer, sent + k_interval, sent + k_interval);
        CHECK(key_at(sent + k_interval + Duration(400)) == KeyCheck::yes);
    }
}

TEST_CASE("core/probe_plan: a lost probe asks who else could serve, and the tunnel port") {
    auto world = world_with_hub();
    world.set_lan({k_edge, lan_edge("zoe.local", {"192.168.1.3"})});
    world.run_to(30'500);
    REQUIRE(world.path() == "192.168.1.2");
    world.table.probe_sent(k_way, at(30'500));
    world.table.probed(k_way, ProbeResult::no_answer, at(30'500), at(30'501));
    const auto plan = plan_probes(world.table, world.state.way(), k_interval, at(30'501));
    CHECK(plan.tunnel == k_way);
    REQUIRE(plan.probes.size() == 2);
    CHECK(plan.probes[0].way == hub_way());
    CHECK(plan.probes[1].way.edge == endpoint("zoe.local:8443"));
    CHECK(plan.next == at(30'900));
}

TEST_CASE("core/probe_plan: no second way to an edge is probed while its better one serves") {
    auto world = world_with_hub();
    world.set_lan({lan_edge("gw.local", {"192.168.1.2", "192.168.7.2", "fd00::2"})});
    int others = 0;
    world.meets = [&](const EdgeWay& way, MonotonicTime) {
        others += way == k_way || way == hub_way() ? 0 : 1;
        return k_ok;
    };
    world.run_to(60'000);
    CHECK(others == 0);
    CHECK(world.path() == "192.168.1.2");
}

TEST_CASE("core/probe_plan: who never answered is asked ever more rarely, down to once a minute") {
    PathWorld world;
    world.set_lan({k_edge});
    std::vector<MonotonicTime> sent;
    world.meets = [&](const EdgeWay&, MonotonicTime now) {
        sent.push_back(now);
        return k_refused;
    };
    world.run_to(600'000);
    REQUIRE(sent.size() >= 8);
    CHECK(sent[1] - sent[0] <= Duration(1100));
    CHECK(sent.back() - sent[sent.size() - 2] == k_stranger_pause_max);
    CHECK(sent.size() < 20);
}

TEST_CASE("core/probe_plan: a way that never answered is asked as soon as a better one is gone") {
    auto world = world_with_hub();
    world.set_lan({lan_edge("gw.local", {"192.168.1.2", "192.168.7.2"})});
    world.meets = [&](const EdgeWay& way, MonotonicTime) {
        return way == hub_way() ? k_ok : k_refused;
    };
    world.run_to(300'000);
    world.meets = [&](const EdgeWay& way, MonotonicTime) {
        return way == k_way ? k_refused : k_ok;
    };
    world.set_lan({lan_edge("gw.local", {"192.168.7.2"})});
    world.run_for(3000);
    CHECK(world.path() == "192.168.7.2");
}

TEST_CASE("core/probe_plan: a LAN edge that was in use is asked every second whether it is back") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(10'000);
    int asked = 0;
    world.meets = [&](const EdgeWay& way, MonotonicTime) {
        asked += way == k_way ? 1 : 0;
        return way == k_way ? k_refused : k_ok;
    };
    world.run_to(20'000);
    asked = 0;
    world.run_for(60'000);
    CHECK(asked >= 59);
    CHECK(asked <= 61);
}

TEST_CASE(
    "core/probe_plan: 200 dead adverts at once: at most 32 probes, and the real edge is found") {
    PathWorld world;
    std::vector<LanEdge> edges;
    for (int i = 0; i < 200; ++i) {
        edges.push_back(
            lan_edge("edge" + std::to_string(i) + ".local", {"10.0.0." + std::to_string(i + 1)}));
    }
    edges.push_back(k_edge);
    world.set_lan(edges);
    world.meets = [](const EdgeWay& way, MonotonicTime) {
        return way == k_way ? k_ok : k_cut;
    };
    world.run_to(7'000);
    CHECK(world.most_in_flight <= k_probes_max);
    CHECK(world.came_to("192.168.1.2") <= at(6'000));
    world.probes = 0;
    world.run_to(300'000);
    world.probes = 0;
    world.run_for(60'000);
    CHECK(world.probes < 300);
}

TEST_CASE("core/probe_plan: a barred edge is asked when its ban ends, and not before") {
    PathWorld world;
    world.set_lan({k_edge});
    std::vector<MonotonicTime> sent;
    world.meets = [&](const EdgeWay&, MonotonicTime now) {
        sent.push_back(now);
        return Meets{ProbeResult::wrong_key, Duration(3)};
    };
    world.run_to(600'002);
    CHECK(sent.size() == 1);
    world.run_to(1'900'000);
    REQUIRE(sent.size() == 3);
    CHECK(sent[1] == at(600'003));
    CHECK(sent[2] == at(600'006) + std::chrono::minutes(20));
}

TEST_CASE("core/probe_plan: the hub is asked every ten seconds when it is the path, five when it "
          "is gone") {
    auto world = world_with_hub();
    world.set_lan({});
    world.run_to(20'000);
    REQUIRE(world.path() == "edge.example");
    world.probes = 0;
    world.run_for(600'000);
    CHECK(world.probes == 60);
    world.meets = [](const EdgeWay&, MonotonicTime) {
        return k_refused;
    };
    world.run_for(30'000);
    world.probes = 0;
    world.run_for(60'000);
    CHECK(world.probes == 12);
}
