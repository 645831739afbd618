#include "core/path_state.h"

#include "unit/core/path_world.h"

#include <algorithm>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const EdgeWay k_way = lan_way("gw.local", "192.168.1.2");
const LanEdge k_edge = lan_edge("gw.local", {"192.168.1.2"});
constexpr const char* k_gateway = "192.168.1.2";
constexpr const char* k_hub = "edge.example";
const PinPlaces k_places{"/var/secrets/losos-edge-pins", "/var/secrets/losos-rathole-noise-pub"};

/// A box that has been on its gateway for a minute.
PathWorld at_home() {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    REQUIRE(world.path() == k_gateway);
    REQUIRE(world.switches.size() == 1);
    return world;
}

} // namespace

TEST_CASE("core/path_state: a box that starts takes its gateway at once, with no detour") {
    auto world = world_with_hub();
    world.meets = [](const EdgeWay& way, MonotonicTime) {
        return way == hub_way() ? Meets{ProbeResult::ok, Duration(40)} : k_ok;
    };
    world.run_to(300);
    CHECK(world.switches.empty());
    world.set_lan({k_edge});
    world.run_to(10'000);
    CHECK(world.came_to(k_gateway) == at(302));
    CHECK(world.switches.size() == 1);
}

TEST_CASE(
    "core/path_state: without a gateway it takes the configured edge once the LAN is searched") {
    auto world = world_with_hub();
    world.run_to(1000);
    world.set_lan({});
    world.run_to(1100);
    CHECK(world.came_to(k_hub) == at(1000));
}

TEST_CASE("core/path_state: with neither it comes to no path and says so") {
    PathWorld world;
    world.run_to(5000);
    CHECK(world.switches.size() == 1);
    CHECK_FALSE(world.state.way());
    CHECK(world.state.reason() == "no edge answers");
}

TEST_CASE("core/path_state: a gateway whose link is cut is left 3.3 s later at worst, 2.3 s in the "
          "median") {
    std::vector<Duration> took;
    for (long long phase = 0; phase < 2000; phase += 50) {
        auto world = at_home();
        world.run_for(phase);
        const auto cut = world.now;
        world.meets = [](const EdgeWay& way, MonotonicTime) {
            return way == k_way ? k_cut : k_ok;
        };
        world.has_tunnel = [](const auto&, auto) {
            return false;
        };
        world.run_for(5000);
        took.push_back(world.came_to(k_hub) - cut);
    }
    std::sort(took.begin(), took.end());
    CHECK(took.back() <= Duration(3300));
    CHECK(took[took.size() / 2] <= Duration(2300));
}

TEST_CASE("core/path_state: a gateway that goes with a goodbye is left within a second") {
    auto world = at_home();
    world.run_for(700);
    const auto gone = world.now;
    world.meets = [](const EdgeWay& way, MonotonicTime) {
        return way == k_way ? k_refused : k_ok;
    };
    world.has_tunnel = [](const auto&, auto) {
        return false;
    };
    world.set_lan({});
    world.run_for(3000);
    CHECK(world.came_to(k_hub) - gone <= Duration(1000));
    CHECK(world.state.reason() == "it answers, and no edge on the LAN can be used; the one before "
                                  "was left: it no longer answers");
}

TEST_CASE(
    "core/path_state: an upgrade's goodbye moves nobody: the registrar is back in two seconds") {
    auto world = at_home();
    world.meets = [](const EdgeWay& way, MonotonicTime) {
        return way == k_way ? k_refused : k_ok;
    };
    world.set_lan({});
    world.run_for(2000);
    CHECK(world.path() == k_gateway);
    world.meets = [](const auto&, auto) {
        return k_ok;
    };
    world.set_lan({k_edge});
    world.run_for(60'000);
    CHECK(world.switches.size() == 1);
}

TEST_CASE(
    "core/path_state: a gateway that answers but stays unadvertised is left after ten seconds") {
    auto world = at_home();
    const auto gone = world.now;
    world.set_lan({});
    world.run_for(20'000);
    CHECK(world.came_to(k_hub) == gone + k_advert_grace);
}

TEST_CASE("core/path_state: the path returns to the LAN at most three seconds after the advert") {
    for (long long phase = 0; phase < 2000; phase += 100) {
        auto world = at_home();
        world.meets = [](const EdgeWay& way, MonotonicTime) {
            return way == k_way ? k_cut : k_ok;
        };
        world.has_tunnel = [](const auto&, auto) {
            return false;
        };
        world.set_lan({});
        world.run_for(60'000 + phase);
        REQUIRE(world.path() == k_hub);
        const auto back = world.now;
        world.meets = [](const auto&, auto) {
            return k_ok;
        };
        world.set_lan({k_edge});
        world.run_for(10'000);
        CHECK(world.came_to(k_gateway) - back <= Duration(1500));
    }
}

TEST_CASE("core/path_state: and so it does where Avahi never noticed that the gateway was gone") {
    for (long long phase = 0; phase < 2000; phase += 100) {
        auto world = at_home();
        world.meets = [](const EdgeWay& way, MonotonicTime) {
            return way == k_way ? k_cut : k_ok;
        };
        world.has_tunnel = [](const auto&, auto) {
            return false;
        };
        world.run_for(60'000 + phase);
        REQUIRE(world.path() == k_hub);
        const auto back = world.now;
        world.meets = [](const auto&, auto) {
            return k_ok;
        };
        world.run_for(10'000);
        CHECK(world.came_to(k_gateway) - back <= Duration(3000));
    }
}

TEST_CASE("core/path_state: ten cuts in a row, a quarter of a minute apart, are each as quick as "
          "the first") {
    auto world = at_home();
    for (int round = 0; round < 10; ++round) {
        const auto cut = world.now;
        world.meets = [](const EdgeWay& way, MonotonicTime) {
            return way == k_way ? k_cut : k_ok;
        };
        world.has_tunnel = [](const auto&, auto) {
            return false;
        };
        world.run_for(6'000);
        CHECK(world.came_to(k_hub) - cut <= Duration(3300));
        const auto back = world.now;
        world.meets = [](const auto&, auto) {
            return k_ok;
        };
        world.has_tunnel = [](const auto&, auto) {
            return true;
        };
        world.run_for(9'000);
        CHECK(world.came_to(k_gateway) - back <= Duration(3000));
    }
}

TEST_CASE("core/path_state: two gateways at once, or one on two interfaces, are one switch each") {
    auto world = world_with_hub();
    world.set_lan({k_edge, lan_edge("zoe.local", {"192.168.1.3"})});
    world.run_to(600'000);
    CHECK(world.switches.size() == 1);

    auto twofold = world_with_hub();
    const auto both = lan_edge("gw.local", {"192.168.1.2", "192.168.7.2", "fd00::2"});
    twofold.set_lan({both});
    twofold.run_to(60'000);
    REQUIRE(twofold.switches.size() == 1);
    twofold.meets = [](const EdgeWay& way, MonotonicTime) {
        return way == k_way ? k_cut : k_ok;
    };
    twofold.has_tunnel = [](const EdgeWay& way, MonotonicTime) {
        return way != k_way;
    };
    twofold.run_for(60'000);
    CHECK(twofold.path() == "192.168.7.2");
    CHECK(twofold.switches.size() == 2);
    twofold.meets = [](const auto&, auto) {
        return k_ok;
    };
    twofold.run_for(600'000);
    CHECK(twofold.switches.size() == 2);
}

TEST_CASE("core/path_state: a rogue with the gateway's name and another key is never the path") {
    for (const auto& hosts : {std::vector<std::string>{"192.168.1.66", "192.168.1.2"},
                              std::vector<std::string>{"192.168.1.2", "192.168.1.66"}}) {
        auto world = world_with_hub();
        world.set_lan({lan_edge("gw.local", hosts)});
        world.meets = [](const EdgeWay& way, MonotonicTime) {
            return way.url.endpoint().host() == "192.168.1.66"
                       ? Meets{ProbeResult::wrong_key, Duration(1)}
                       : k_ok;
        };
        world.run_to(3'600'000);
        CHECK(world.path() == k_gateway);
        for (const auto& each : world.switches) {
            CHECK((!each.way || each.way->url.endpoint().host() != "192.168.1.66"));
        }
        CHECK(world.switches.size() <= 2);
    }
}

TEST_CASE("core/path_state: everything goes, and comes back") {
    auto world = at_home();
    world.meets = [](const auto&, auto) {
        return k_cut;
    };
    world.has_tunnel = [](const auto&, auto) {
        return false;
    };
    world.run_for(60'000);
    CHECK_FALSE(world.state.way());
    const auto back = world.now;
    world.meets = [](const auto&, auto) {
        return k_ok;
    };
    world.run_for(30'000);
    CHECK(world.came_to(k_gateway) - back <= Duration(3000));
}

TEST_CASE("core/path_state: an edge that was away for a moment now and then is of use") {
    auto world = at_home();
    for (int round = 0; round < 10; ++round) {
        const auto back = world.now + Duration(5000);
        world.meets = [back](const EdgeWay& way, MonotonicTime now) {
            return way == k_way && now < back ? k_cut : k_ok;
        };
        world.has_tunnel = [back](const auto&, MonotonicTime now) {
            return now >= back;
        };
        // No pause between two looks at a tunnel port fits into the time it is the path.
        world.run_for(10'000);
        CHECK(world.path() == k_gateway);
        CHECK_FALSE(world.table.find(k_way)->ban.in_force(world.now));
    }
}

TEST_CASE("core/path_state: a path from an earlier run stays, without a switch") {
    auto world = world_with_hub();
    const auto inherited = way_of(path_by(k_way, k_places));
    world.table.inherit(inherited, at(0));
    world.state = PathState::inherited(inherited, at(0));
    world.run_to(1500);
    CHECK(world.switches.empty());
    world.set_lan({k_edge});
    world.run_to(60'000);
    CHECK(world.switches.empty());
    CHECK(world.state.way() == k_way);
    CHECK(world.state.reason() == "it answers");
}

TEST_CASE("core/path_state: an inherited LAN path without an advert goes after ten seconds") {
    auto world = world_with_hub();
    world.table.inherit(way_of(path_by(k_way, k_places)), at(0));
    world.state = PathState::inherited(way_of(path_by(k_way, k_places)), at(0));
    world.set_lan({});
    world.run_to(20'000);
    CHECK(world.came_to(k_hub) == at(10'000));
}

TEST_CASE("core/path_state: what the tunnel units are to find") {
    const auto order = [](const PathState& state, ConfiguredEdge configured) {
        return sound(order_of(state, configured, k_places));
    };
    PathState state(at(0));
    CHECK(order(state, ConfiguredEdge::given).kind == PathOrder::Kind::leave_alone);
    CHECK(order(state, ConfiguredEdge::none).kind == PathOrder::Kind::stop);

    EdgeTable table(at(0));
    state.update(table, at(2000));
    CHECK(order(state, ConfiguredEdge::given).kind == PathOrder::Kind::stop);

    const auto lan = order(at_home().state, ConfiguredEdge::given);
    CHECK(lan.kind == PathOrder::Kind::take);
    CHECK(lan.env == "LOSOS_EDGE_PATH_URL=http://192.168.1.2:8443\n"
                     "LOSOS_EDGE_PATH_RATHOLE=192.168.1.2:2333\n"
                     "LOSOS_EDGE_PATH_SOURCE=lan\n"
                     "LOSOS_EDGE_PATH_NOISE_PUB=/var/secrets/losos-edge-pins/gw.local_8443.pub\n");
    const auto hub = PathState::inherited(hub_way(), at(0));
    CHECK(order(hub, ConfiguredEdge::given).env ==
          "LOSOS_EDGE_PATH_URL=https://edge.example\n"
          "LOSOS_EDGE_PATH_RATHOLE=edge.example:2333\n"
          "LOSOS_EDGE_PATH_SOURCE=configured\n"
          "LOSOS_EDGE_PATH_NOISE_PUB=/var/secrets/losos-rathole-noise-pub\n");
    CHECK_FALSE(order_of(hub, ConfiguredEdge::given, {"/pins", "/var/se crets/pub"}));
}
