#include "core/http_date.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("a Date header is read to the second") {
    CHECK(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == UnixTime(784111777));
    CHECK(parse_http_date("Thu, 01 Jan 1970 00:00:00 GMT") == UnixTime(0));
    CHECK(parse_http_date("Thu, 29 Feb 2024 23:59:60 GMT") == UnixTime(1709251200));
}

TEST_CASE("what is no Date header says no time") {
    const auto* text =
        GENERATE("", "soon", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                 "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
                 "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
                 "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
                 "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
                 "Sun, 06 Nov 1994008449:37 GMT", "Sun, 06 Nov 1994 -0:49:37 GMT");
    CHECK_FALSE(parse_http_date(text));
}

TEST_CASE("a moment is shown in UTC") {
    CHECK(render_utc(UnixTime(784111777)) == "1994-11-06 08:49:37 UTC");
    CHECK(render_utc(UnixTime(0)) == "1970-01-01 00:00:00 UTC");
    CHECK(render_utc(UnixTime(-1)) == "1969-12-31 23:59:59 UTC");
}
