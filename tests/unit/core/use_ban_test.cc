#include "core/use_ban.h"

#include "support/catch.h"

using namespace losos;
using std::chrono::hours;
using std::chrono::minutes;

namespace {

MonotonicTime at(std::chrono::minutes time) {
    return time;
}

} // namespace

TEST_CASE("core/use_ban: ten minutes, then twice as long each time, up to a day") {
    UseBan ban;
    CHECK_FALSE(ban.in_force(at(minutes(0))));
    auto now = at(minutes(1));
    for (const auto length :
         {minutes(10), minutes(20), minutes(40), minutes(80), minutes(160), minutes(320),
          minutes(640), minutes(1280), minutes(1440), minutes(1440)}) {
        ban.strike(NoUse::refused, now);
        CHECK(ban.until() == now + length);
        CHECK(ban.in_force(now + length - Duration(1)) == NoUse::refused);
        CHECK_FALSE(ban.in_force(now + length));
        now += length;
    }
}

TEST_CASE("core/use_ban: while it is in force another reason changes nothing") {
    UseBan ban;
    ban.strike(NoUse::wrong_key, at(minutes(0)));
    ban.strike(NoUse::busy, at(minutes(9)));
    CHECK(ban.in_force(at(minutes(9))) == NoUse::wrong_key);
    CHECK(ban.until() == at(minutes(10)));
}

TEST_CASE("core/use_ban: forgotten, it begins with ten minutes again") {
    UseBan ban;
    ban.strike(NoUse::wrong_key, at(minutes(0)));
    ban.strike(NoUse::wrong_key, at(minutes(10)));
    ban.forget();
    CHECK_FALSE(ban.in_force(at(minutes(11))));
    ban.strike(NoUse::no_tunnel, at(minutes(11)));
    CHECK(ban.until() == at(minutes(21)));
}

TEST_CASE("core/use_ban: each reason has a sentence of its own") {
    CHECK(describe(NoUse::wrong_key) != describe(NoUse::refused));
    CHECK(describe(NoUse::busy) != describe(NoUse::no_tunnel));
}
