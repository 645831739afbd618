#include "base/duration.h"

#include "support/catch.h"

#include <utility>

using namespace losos;

TEST_CASE("base/duration: a number and a unit are read, a bare number is seconds") {
    const std::pair<const char*, long long> cases[] = {
        {"1ms", 1},          {"500ms", 500},
        {"15s", 15'000},     {"15", 15'000},
        {"2m", 120'000},     {"1h", 3'600'000},
        {"007s", 7'000},     {"90s", 90'000},
        {"24h", 86'400'000}, {"1000000h", 3'600'000'000'000},
    };
    for (const auto& [text, milliseconds] : cases) {
        INFO(text);
        const auto duration = parse_duration(text);
        REQUIRE(duration);
        CHECK(duration->count() == milliseconds);
    }
}

TEST_CASE("base/duration: what is no duration greater than zero is refused") {
    for (const char* const text :
         {"",   "0", "0s", "00h", "-1", "-1s",  "+1",   "1.5s", "1,5s", " 1s", "1s ",  "1 s", "s",
          "ms", "h", "1S", "1H",  "1d", "1min", "1mss", "1sm",  "0x10", "1e3", "1s1m", "١"}) {
        INFO(text);
        CHECK_FALSE(parse_duration(text));
    }
    CHECK_FALSE(parse_duration(std::string_view("1s\0", 3)));
}

TEST_CASE("base/duration: what would overflow, or nearly, is refused") {
    for (const char* const text :
         {"1000001h", "3600000001s", "3600000001", "60000001m", "3600000000001ms",
          "9223372036854775807ms", "9223372036854775808", "2562047788015216h",
          "99999999999999999999999999999999h"}) {
        INFO(text);
        const auto duration = parse_duration(text);
        REQUIRE_FALSE(duration);
        CHECK(duration.error().what.find("too long") != std::string::npos);
    }
}

TEST_CASE("base/duration: the largest unit that fits spells a duration") {
    const std::pair<long long, const char*> cases[] = {
        {1, "1ms"},      {1'500, "1500ms"}, {15'000, "15s"},    {90'000, "90s"},
        {120'000, "2m"}, {3'600'000, "1h"}, {5'400'000, "90m"},
    };
    for (const auto& [milliseconds, text] : cases) {
        CHECK(render_duration(Duration(milliseconds)) == text);
        CHECK(parse_duration(text)->count() == milliseconds);
    }
}
