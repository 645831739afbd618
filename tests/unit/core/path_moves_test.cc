// How often the path moves over whole histories of probes, regular, random and malicious.
#include "core/path_state.h"

#include "unit/core/path_world.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const EdgeWay k_way = lan_way("gw.local", "192.168.1.2");
const LanEdge k_edge = lan_edge("gw.local", {"192.168.1.2"});
constexpr const char* k_gateway = "192.168.1.2";

/// A box that has been on its gateway for a minute.
PathWorld at_home() {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    world.run_to(60'000);
    REQUIRE(world.path() == k_gateway);
    REQUIRE(world.switches.size() == 1);
    return world;
}

/// The same numbers on every machine.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed * 2 + 1) {}
    std::uint64_t below(std::uint64_t limit) {
        m_state = m_state * 6364136223846793005U + 1442695040888963407U;
        return (m_state >> 33U) % limit;
    }

private:
    std::uint64_t m_state;
};

} // namespace

TEST_CASE("core/path_state: one probe in three answered for a minute moves the box once at most") {
    auto world = at_home();
    int count = 0;
    world.meets = [&count](const EdgeWay& way, MonotonicTime) {
        return way != k_way || ++count % 3 == 0 ? k_ok : k_refused;
    };
    world.run_for(60'000);
    CHECK(world.switches.size() <= 2);
    world.meets = [](const auto&, auto) {
        return k_ok;
    };
    world.run_for(360'000);
    CHECK(world.path() == k_gateway);
    CHECK(world.switches.size() <= 3);
}

TEST_CASE("core/path_state: so does one in three at random, whether the tunnel works or not") {
    int moved_twice = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        auto world = at_home();
        world.meets = [&dice](const EdgeWay& way, MonotonicTime) {
            return way != k_way || dice.below(3) == 0 ? k_ok : k_refused;
        };
        world.has_tunnel = [seed](const auto&, auto) {
            return seed % 2 == 0;
        };
        world.run_for(60'000);
        CHECK(world.switches.size() <= 4);
        moved_twice += world.switches.size() > 2 ? 1 : 0;
    }
    CHECK(moved_twice <= 5);
}

TEST_CASE(
    "core/path_state: random histories never move the box more often than falls are paid for") {
    constexpr long long k_minutes = 30;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        auto world = world_with_hub();
        const std::vector<LanEdge> edges{k_edge, lan_edge("zoe.local", {"192.168.1.3"})};
        world.set_lan(edges);
        std::vector<std::pair<EdgeWay, std::uint64_t>> moods{
            {k_way, 100}, {edges[1].ways[0], 100}, {hub_way(), 100}};
        world.meets = [&](const EdgeWay& way, MonotonicTime) {
            const auto mood = std::find_if(moods.begin(), moods.end(),
                                           [&](const auto& each) { return each.first == way; });
            if (dice.below(100) < mood->second) {
                return k_ok;
            }
            return dice.below(2) == 0 ? k_refused : k_cut;
        };
        world.has_tunnel = [&](const auto&, auto) {
            return dice.below(4) != 0;
        };
        while (world.now < at(k_minutes * 60'000)) {
            world.run_for(static_cast<long long>(dice.below(8000)));
            constexpr std::array<std::uint64_t, 5> k_moods{0, 33, 80, 100, 100};
            moods[dice.below(moods.size())].second = k_moods[dice.below(k_moods.size())];
        }
        // Each of three edges changes its mood every twelve seconds: no more moves than that costs.
        CHECK(world.switches.size() <= 3 * k_minutes);
        for (std::size_t i = 1; i < world.switches.size(); ++i) {
            CHECK(world.switches[i].way != world.switches[i - 1].way);
        }
    }
}

TEST_CASE("core/path_state: an edge that is away whenever it is the path moves the box ever more "
          "rarely") {
    auto world = world_with_hub();
    world.set_lan({k_edge});
    // Steady until it is the path, then away until it is not.
    world.meets = [&world](const EdgeWay& way, MonotonicTime) {
        return way == k_way && world.path() == k_gateway ? k_refused : k_ok;
    };
    world.has_tunnel = [](const auto&, auto) {
        return false;
    };
    world.run_to(600'000);
    CHECK(world.switches.size() <= 20);
}
