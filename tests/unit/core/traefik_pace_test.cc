#include "core/traefik_pace.h"

#include "support/catch.h"

#include <deque>
#include <utility>

using namespace losos;

namespace {

constexpr MonotonicTime k_step{10};
constexpr MonotonicTime k_hour = std::chrono::hours(1);
constexpr MonotonicTime k_start = std::chrono::hours(100);

/// An hour of changes every 10 ms: what Traefik spent, and the longest wait of any change.
struct Hour {
    Duration spent{0};
    MonotonicTime longest_wait{0};
    int writes = 0;
};

Hour simulate(TraefikChange change, std::size_t routers) {
    TraefikPace pace;
    Hour hour;
    MonotonicTime waiting_since = k_start;
    for (auto now = k_start; now < k_start + k_hour; now += k_step) {
        if (pace.due(change, routers, now) > now) {
            continue;
        }
        pace.written(routers, now);
        hour.spent += traefik_cost(routers);
        hour.longest_wait = std::max(hour.longest_wait, now - waiting_since);
        waiting_since = now + k_step;
        ++hour.writes;
    }
    return hour;
}

} // namespace

TEST_CASE("a change costs what was measured, and a straight line between") {
    struct Case {
        std::size_t routers;
        int cost_ms;
    };
    const auto sample =
        GENERATE(Case{0, 50}, Case{10, 60}, Case{55, 85}, Case{100, 110}, Case{550, 230},
                 Case{1000, 350}, Case{3000, 1225}, Case{5000, 2100}, Case{7500, 4150},
                 Case{10000, 6200}, Case{15000, 10300});
    CHECK(traefik_cost(sample.routers) == Duration(sample.cost_ms));
}

TEST_CASE("the cost grows with the file and never below its floor") {
    auto last = Duration(50);
    for (std::size_t routers = 0; routers < 20000; routers += 7) {
        const auto cost = traefik_cost(routers);
        REQUIRE(cost >= last);
        last = cost;
    }
    CHECK(traefik_cost(static_cast<std::size_t>(-1)) > std::chrono::seconds(100));
}

TEST_CASE("the first change is written at once") {
    const TraefikPace pace;
    const auto change = GENERATE(TraefikChange::arrivals, TraefikChange::departures_only);
    CHECK(pace.due(change, 10000, MonotonicTime{0}) == MonotonicTime{0});
    CHECK(pace.due(change, 10000, k_start) == k_start);
}

TEST_CASE("an arrival may borrow one change ahead, a departure waits until all is paid") {
    TraefikPace pace;
    pace.written(1000, k_start);
    CHECK(pace.due(TraefikChange::arrivals, 1000, k_start) == k_start);
    CHECK(pace.due(TraefikChange::departures_only, 1000, k_start) == k_start + Duration(2800));
    pace.written(1000, k_start);
    CHECK(pace.due(TraefikChange::arrivals, 1000, k_start) == k_start + Duration(2800));
    CHECK(pace.due(TraefikChange::departures_only, 1000, k_start) == k_start + Duration(5600));
}

TEST_CASE("what is due stays due and a debt is paid by time") {
    TraefikPace pace;
    pace.written(1000, k_start);
    const auto due = pace.due(TraefikChange::departures_only, 1000, k_start);
    CHECK(pace.due(TraefikChange::departures_only, 1000, due) == due);
    CHECK(pace.due(TraefikChange::departures_only, 1000, due - k_step) == due);
    pace.written(1000, due + k_hour);
    CHECK(pace.due(TraefikChange::arrivals, 1000, due + k_hour) == due + k_hour);
}

TEST_CASE("an hour of changes costs an eighth of a core and two changes at most") {
    const auto change = GENERATE(TraefikChange::arrivals, TraefikChange::departures_only);
    const auto routers = GENERATE(std::size_t{1}, std::size_t{10}, std::size_t{100},
                                  std::size_t{1000}, std::size_t{10000});
    const auto hour = simulate(change, routers);
    const auto allowed = k_hour / 8 + 2 * traefik_cost(routers);
    CHECK(hour.spent <= allowed);
    CHECK(hour.spent >= k_hour / 9);
}

TEST_CASE("with ten routers no change waits longer than a second") {
    const auto change = GENERATE(TraefikChange::arrivals, TraefikChange::departures_only);
    CHECK(simulate(change, 10).longest_wait <= std::chrono::seconds(1));
    TraefikPace pace;
    for (auto now = k_start; now < k_start + std::chrono::minutes(1); now += k_step) {
        if (pace.due(TraefikChange::arrivals, 10, now) <= now) {
            pace.written(10, now);
        }
        const auto departure = pace.due(TraefikChange::departures_only, 10, now);
        REQUIRE(departure - now <= std::chrono::seconds(1));
    }
}

TEST_CASE("any stretch of mixed changes keeps to the eighth") {
    TraefikPace pace;
    std::deque<std::pair<MonotonicTime, Duration>> writes;
    const MonotonicTime stretch = std::chrono::seconds(30);
    int turn = 0;
    for (auto now = k_start; now < k_start + k_hour / 6; now += k_step) {
        const std::size_t routers = 200 + static_cast<std::size_t>(++turn % 300);
        const auto change =
            turn % 3 == 0 ? TraefikChange::arrivals : TraefikChange::departures_only;
        if (pace.due(change, routers, now) <= now) {
            pace.written(routers, now);
            writes.emplace_back(now, traefik_cost(routers));
        }
        while (!writes.empty() && writes.front().first <= now - stretch) {
            writes.pop_front();
        }
        Duration spent{0};
        for (const auto& write : writes) {
            spent += write.second;
        }
        REQUIRE(spent <= stretch / 8 + 2 * traefik_cost(500));
    }
}
