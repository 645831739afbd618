#include "core/way_health.h"

#include "support/catch.h"

using namespace losos;

namespace {

MonotonicTime at(long long ms) {
    return MonotonicTime(ms);
}

/// A probe whose outcome came `after` its sending.
void probe(WayHealth& way, ProbeResult result, long long sent, long long after = 1) {
    way.probed(result, at(sent), at(sent + after), k_lan_patience);
}

void ok(WayHealth& way, long long sent) {
    probe(way, ProbeResult::ok, sent);
}

void refuse(WayHealth& way, long long sent) {
    probe(way, ProbeResult::no_answer, sent);
}

/// Up since 0, with good answers until 10 s.
WayHealth steady() {
    WayHealth way;
    for (long long sent = 0; sent <= 10'000; sent += 500) {
        ok(way, sent);
    }
    return way;
}

WayHealth fallen_at(long long ms) {
    auto way = steady();
    refuse(way, ms - 800);
    refuse(way, ms - 400);
    refuse(way, ms);
    REQUIRE(way.state() == HealthState::down);
    return way;
}

/// How many good answers, `pause` apart from `from` on, bring it up again.
int answers_to_return(WayHealth& way, long long from, long long pause) {
    int count = 0;
    while (!way.is_usable() && count < 10'000) {
        ok(way, from + pause * count);
        ++count;
    }
    return count;
}

} // namespace

TEST_CASE(
    "core/way_health: who never failed is up with the first answer and proven with the fifth") {
    WayHealth way;
    CHECK(way.state() == HealthState::untried);
    CHECK_FALSE(way.is_usable());
    ok(way, 0);
    CHECK(way.is_usable());
    CHECK_FALSE(way.is_proven(at(1)));
    ok(way, 300);
    ok(way, 600);
    ok(way, 900);
    CHECK_FALSE(way.is_proven(at(5000)));
    ok(way, 1200);
    CHECK(way.is_proven(at(1201)));
    CHECK(way.since() == at(1));
}

TEST_CASE("core/way_health: five quick answers prove nothing before 1.2 s") {
    WayHealth way;
    for (int i = 0; i < 5; ++i) {
        ok(way, i);
    }
    CHECK_FALSE(way.is_proven(at(1199)));
    CHECK(way.is_proven(at(1200)));
}

TEST_CASE("core/way_health: one lost probe changes nothing") {
    for (const auto result : {ProbeResult::no_answer, ProbeResult::wrong_answer}) {
        auto way = steady();
        probe(way, result, 12'000, 800);
        CHECK(way.state() == HealthState::doubtful);
        CHECK(way.is_usable());
        ok(way, 13'000);
        CHECK(way.state() == HealthState::up);
        CHECK(way.since() == at(1));
        CHECK(way.is_proven(at(13'001)));
        CHECK(way.last()->result == ProbeResult::ok);
    }
}

TEST_CASE("core/way_health: two lost in a row, and 800 ms since the first began, are the end") {
    auto way = steady();
    refuse(way, 12'000);
    refuse(way, 12'400);
    CHECK(way.state() == HealthState::doubtful);
    refuse(way, 12'800);
    CHECK(way.state() == HealthState::down);
    CHECK(way.since() == at(12'801));
}

TEST_CASE("core/way_health: silence ends it when the second of two overlapping probes is lost") {
    auto way = steady();
    probe(way, ProbeResult::no_answer, 12'000, 800);
    CHECK(way.is_usable());
    probe(way, ProbeResult::no_answer, 12'400, 800);
    CHECK(way.state() == HealthState::down);
}

TEST_CASE("core/way_health: a probe that is lost after a later one was answered says nothing") {
    auto way = steady();
    ok(way, 12'400);
    probe(way, ProbeResult::no_answer, 12'000, 800);
    CHECK(way.state() == HealthState::up);
    CHECK(way.failures() == 0);
    CHECK(way.last()->result == ProbeResult::ok);
}

TEST_CASE("core/way_health: while the tunnel port takes connections it has three seconds") {
    auto way = steady();
    refuse(way, 12'000);
    way.tunnel_taken(at(12'001));
    for (long long sent = 12'400; sent < 15'000; sent += 400) {
        refuse(way, sent);
        CHECK(way.is_usable());
    }
    refuse(way, 15'000);
    CHECK(way.state() == HealthState::down);
}

TEST_CASE("core/way_health: a tunnel port that took one before the trouble helps nobody") {
    auto way = steady();
    way.tunnel_taken(at(11'999));
    refuse(way, 12'000);
    refuse(way, 12'400);
    refuse(way, 12'800);
    CHECK(way.state() == HealthState::down);
}

TEST_CASE("core/way_health: a tunnel port that shuts after the registrar buys no time any more") {
    auto way = steady();
    refuse(way, 12'000);
    way.tunnel_taken(at(12'001));
    refuse(way, 12'400);
    way.tunnel_shut();
    refuse(way, 12'800);
    CHECK(way.state() == HealthState::down);
}

TEST_CASE("core/way_health: who fell proves himself with five answers in a row over 1.2 s") {
    auto way = fallen_at(20'000);
    CHECK(answers_to_return(way, 60'000, 300) == 5);
    CHECK(way.state() == HealthState::up);
    CHECK(way.is_proven(at(61'201)));
}

TEST_CASE("core/way_health: who never answered at first proves himself too") {
    WayHealth way;
    refuse(way, 0);
    CHECK(way.state() == HealthState::down);
    CHECK_FALSE(way.was_ever_up());
    CHECK(answers_to_return(way, 1000, 300) == 5);
    CHECK(way.was_ever_up());
}

TEST_CASE("core/way_health: a proof that is broken begins anew and gets longer") {
    auto way = fallen_at(20'000);
    ok(way, 21'000);
    CHECK(way.state() == HealthState::returning);
    refuse(way, 21'300);
    CHECK(way.state() == HealthState::down);
    ok(way, 22'000);
    refuse(way, 22'300);
    // Three falls cost 30 s, of which 2.3 s are paid and 15 s are credit.
    CHECK(answers_to_return(way, 23'000, 1000) > 11);
}

TEST_CASE("core/way_health: clean outages a quarter of a minute apart cost nothing extra") {
    auto way = steady();
    long long now = 20'000;
    for (int round = 0; round < 20; ++round) {
        refuse(way, now);
        refuse(way, now + 400);
        refuse(way, now + 800);
        REQUIRE(way.state() == HealthState::down);
        CHECK(answers_to_return(way, now + 5'000, 300) == 5);
        now += 15'000;
    }
}

TEST_CASE("core/way_health: a debt is paid off by time, and never beyond five minutes") {
    auto way = fallen_at(20'000);
    long long now = 21'000;
    for (int round = 0; round < 100; ++round) {
        ok(way, now);
        refuse(way, now + 300);
        now += 1000;
    }
    auto later = way;
    CHECK(answers_to_return(later, now + 300'000, 300) == 5);
    CHECK(answers_to_return(way, now, 1000) >= 284);
}

TEST_CASE(
    "core/way_health: what an earlier run chose is taken for up until a probe says otherwise") {
    WayHealth way;
    way.presume_up(at(0));
    CHECK(way.is_usable());
    CHECK_FALSE(way.is_proven(at(10'000)));
    refuse(way, 100);
    CHECK(way.is_usable());
    refuse(way, 500);
    refuse(way, 900);
    CHECK(way.state() == HealthState::down);
}
