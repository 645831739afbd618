#include "core/port_pool.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

std::map<RowId, RegistryRow> rows(const std::vector<std::pair<std::string, int>>& ports) {
    std::map<RowId, RegistryRow> result;
    for (const auto& [id, number] : ports) {
        result.emplace(row_id(id), RegistryRow{name("h.example"), port(number)});
    }
    return result;
}

} // namespace

TEST_CASE("a new tenant gets the lowest free port") {
    PortPool pool(port_range("100-104"), rows({{"a", 100}, {"b", 102}}), {});
    CHECK(pool.take(row_id("c")) == port(101));
    CHECK(pool.take(row_id("d")) == port(103));
    CHECK(pool.take(row_id("e")) == port(104));
}

TEST_CASE("a full range has no port left") {
    PortPool pool(port_range("100-101"), rows({{"a", 100}, {"b", 101}}), {});
    CHECK(pool.take(row_id("c")) == std::nullopt);
    CHECK(pool.take(row_id("c")) == std::nullopt);
}

TEST_CASE("every port of a range is handed out once") {
    PortPool pool(port_range("20000-29999"), {}, {});
    for (int number = 20000; number <= 29999; ++number) {
        const auto taken = pool.take(row_id("box" + std::to_string(number)));
        REQUIRE(taken.has_value());
        REQUIRE(taken->number() == number);
    }
    CHECK(pool.take(row_id("late")) == std::nullopt);
}

TEST_CASE("the highest port there is can be handed out") {
    PortPool pool(port_range("65535-65535"), {}, {});
    CHECK(pool.take(row_id("a")) == port(65535));
    CHECK(pool.take(row_id("b")) == std::nullopt);
}

TEST_CASE("a port that rests for another is passed over") {
    PortPool pool(port_range("100-101"), {}, {{port(100), row_id("gone")}});
    CHECK(pool.take(row_id("a")) == port(101));
    CHECK(pool.take(row_id("b")) == std::nullopt);
}

TEST_CASE("its own tenant has a resting port back at once") {
    PortPool pool(port_range("100-104"), {}, {{port(103), row_id("back")}});
    CHECK(pool.take(row_id("back")) == port(103));
    CHECK(pool.take(row_id("other")) == port(100));
    CHECK(pool.take(row_id("back")) == port(101));
}

TEST_CASE("a tenant with two resting ports has both back, the lower first") {
    PortPool pool(port_range("100-104"), {},
                  {{port(102), row_id("back")}, {port(104), row_id("back")}});
    CHECK(pool.take(row_id("back")) == port(102));
    CHECK(pool.take(row_id("back")) == port(104));
    CHECK(pool.take(row_id("back")) == port(100));
}

TEST_CASE("a released port rests for its last holder") {
    PortPool pool(port_range("100-101"), rows({{"a", 100}, {"b", 101}}), {});
    pool.release(port(100), row_id("a"));
    CHECK(pool.take(row_id("c")) == std::nullopt);
    CHECK(pool.take(row_id("a")) == port(100));
    CHECK(pool.take(row_id("a")) == std::nullopt);
}

TEST_CASE("a direct tenant and a relayed box of one name are two") {
    PortPool pool(port_range("100-101"), {}, {{port(100), row_id("acme.mattbox")}});
    CHECK(pool.take(row_id("mattbox")) == port(101));
    CHECK(pool.take(row_id("acme.mattbox")) == port(100));
}

TEST_CASE("a resting port outside the range or held by a row is nobody's") {
    PortPool pool(port_range("100-101"), rows({{"a", 100}}),
                  {{port(100), row_id("back")}, {port(200), row_id("back")}});
    CHECK(pool.take(row_id("back")) == port(101));
}
