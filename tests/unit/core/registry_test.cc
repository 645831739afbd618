#include "core/registry.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <algorithm>
#include <string>

using namespace losos;
using namespace losos::make;

namespace {

const std::optional<std::string> k_none;

ValidatedRows validate(std::vector<StoredRow> rows) {
    return validate_rows(std::move(rows), port_range("20000-20009"));
}

} // namespace

TEST_CASE("sound rows of a stored registry are kept") {
    const auto result = validate({{"mattbox", "MattBox.example", 20000, k_none},
                                  {"acme.mattbox", "mattbox.acme.losos.cfd", 20009, "acme"}});
    CHECK(result.dropped.empty());
    REQUIRE(result.rows.size() == 2);
    CHECK(result.rows.at(row_id("mattbox")) == RegistryRow{name("mattbox.example"), port(20000)});
    CHECK(result.rows.at(row_id("acme.mattbox")).port == port(20009));
}

TEST_CASE("a row that cannot be believed is dropped with its id and its fault") {
    struct Case {
        StoredRow row;
        const char* fault;
    };
    const auto sample =
        GENERATE(Case{{"", "h", 20000, k_none}, "the id is empty"},
                 Case{{"Upper", "h", 20000, k_none}, "the id is neither a DNS label nor two"},
                 Case{{"a.b.c", "h", 20000, "a"}, "the id is neither a DNS label nor two"},
                 Case{{"a", "", 20000, k_none}, "the hostname is empty"},
                 Case{{"a", "h_h", 20000, k_none}, "the hostname is not a DNS name"},
                 Case{{"a", "h", 19999, k_none}, "port 19999 is outside the range 20000-20009"},
                 Case{{"a", "h", 20010, k_none}, "port 20010 is outside the range 20000-20009"},
                 Case{{"a", "h", 0, k_none}, "port 0 is outside"},
                 Case{{"a", "h", -5, k_none}, "port -5 is outside"},
                 Case{{"a", "h", 1LL << 40, k_none}, "is outside the range"},
                 Case{{"a", "h", 20000, "a"}, "it has a via, but no spoke in its id"},
                 Case{{"a.b", "h", 20000, k_none}, "its via is not the spoke in its id"},
                 Case{{"a.b", "h", 20000, "c"}, "its via is not the spoke in its id"});
    const auto result = validate({sample.row, {"zz", "sound.example", 20005, k_none}});
    CHECK(result.rows.size() == 1);
    REQUIRE(result.dropped.size() == 1);
    CHECK(result.dropped.front().find("\"" + sample.row.id + "\"") != std::string::npos);
    CHECK(result.dropped.front().find(sample.fault) != std::string::npos);
}

TEST_CASE("of two rows with one port the lower-sorting id keeps it") {
    std::vector<StoredRow> rows{{"b", "b.example", 20000, k_none},
                                {"a", "a.example", 20000, k_none},
                                {"c", "c.example", 20001, k_none}};
    const auto reversed = GENERATE(false, true);
    if (reversed) {
        std::reverse(rows.begin(), rows.end());
    }
    const auto result = validate(rows);
    CHECK(result.rows.contains(row_id("a")));
    CHECK_FALSE(result.rows.contains(row_id("b")));
    CHECK(result.rows.contains(row_id("c")));
    CHECK(result.dropped ==
          std::vector<std::string>{"registry row \"b\" is dropped: a already has port 20000"});
}

TEST_CASE("a dropped row claims no port") {
    const auto result = validate({{"a", "", 20000, k_none}, {"b", "b.example", 20000, k_none}});
    CHECK(result.rows.contains(row_id("b")));
    CHECK(result.dropped.size() == 1);
}

TEST_CASE("an id that stands twice counts once") {
    const auto result =
        validate({{"a", "a.example", 20000, k_none}, {"a", "b.example", 20001, k_none}});
    CHECK(result.rows.at(row_id("a")).port == port(20000));
    CHECK(result.dropped.size() == 1);
}
