#include "core/port.h"

#include "unit/core/make.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

TEST_CASE("a port is a whole number from 1 to 65535") {
    CHECK(sound(Port::parse("1")).number() == 1);
    CHECK(sound(Port::parse("65535")).number() == 65535);
    CHECK(port(2333).text() == "2333");
    const auto* bad = GENERATE("", "0", "65536", "-1", "+1", " 1", "1 ", "0x10", "080", "1.0",
                               "99999", "123456789012345678901234567890", "a");
    const auto parsed = Port::parse(bad);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what == "a port is a whole number from 1 to 65535");
}

TEST_CASE("a number outside the range is no port") {
    const auto bad = GENERATE(-1LL, 0LL, 65536LL, 1LL << 40, -(1LL << 40));
    CHECK_FALSE(Port::from_number(bad).has_value());
}

TEST_CASE("a port range includes both its ends") {
    const auto range = port_range("20000-29999");
    CHECK(range.size() == 10000);
    CHECK(range.contains(port(20000)));
    CHECK(range.contains(port(29999)));
    CHECK_FALSE(range.contains(port(19999)));
    CHECK_FALSE(range.contains(port(30000)));
    CHECK(range.text() == "20000-29999");
    CHECK(port_range("7-7").size() == 1);
}

TEST_CASE("what is no port range is refused") {
    const auto* bad = GENERATE("", "-", "1", "1-", "-1", "2-1", "1-2-3", "0-5", "1-65536", "a-b");
    CHECK_FALSE(PortRange::parse(bad).has_value());
}

TEST_CASE("ranges overlap when they share a port") {
    const auto range = port_range("100-200");
    CHECK(range.overlaps(port_range("200-300")));
    CHECK(range.overlaps(port_range("50-100")));
    CHECK(range.overlaps(port_range("120-130")));
    CHECK(range.overlaps(port_range("1-1000")));
    CHECK_FALSE(range.overlaps(port_range("201-300")));
    CHECK_FALSE(range.overlaps(port_range("1-99")));
}
