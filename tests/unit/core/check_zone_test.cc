#include "core/check_zone.h"

#include "support/catch.h"

using namespace losos;

namespace {

constexpr UnixTime k_now{1'800'000'000};
constexpr UnixTime k_month{30LL * 24 * 3600};

ZoneFacts facts() {
    return {"boxes.example.org", "/z/boxes.zone", 1'800'000'000U, 1'800'000'000U, ""};
}

bool says(const Check& check, std::string_view words) {
    return check.says.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a zone whose last serial is served is fine") {
    CHECK(check_served_zone(facts()) ==
          check_ok("zone boxes.example.org", "serial 1800000000 is served"));
}

TEST_CASE("a zone that is served by an older serial, also round the corner, is a fault") {
    auto old = facts();
    old.served = 1'799'999'999U;
    CHECK(check_served_zone(old).verdict == Verdict::failed);
    CHECK(says(check_served_zone(old), "losos-dns-reload"));
    old.written = 3U;
    old.served = 0xffffffffU;
    CHECK(check_served_zone(old).verdict == Verdict::failed);
}

TEST_CASE("a name server that signs may be ahead of the file") {
    auto ahead = facts();
    ahead.served = 1'800'000'007U;
    CHECK(check_served_zone(ahead).verdict == Verdict::ok);
    CHECK(says(check_served_zone(ahead), "ahead of 1800000000"));
}

TEST_CASE("a zone that nobody answers for is a fault with a reason") {
    auto silent = facts();
    silent.served.reset();
    silent.fault = "127.0.0.1 does not answer";
    CHECK(check_served_zone(silent).verdict == Verdict::failed);
    CHECK(says(check_served_zone(silent), "127.0.0.1 does not answer"));
    CHECK(says(check_served_zone(silent), "Knot's configuration"));
}

TEST_CASE("a zone file without a serial is nothing to compare with") {
    auto unread = facts();
    unread.written.reset();
    CHECK(check_served_zone(unread).verdict == Verdict::not_checked);
}

TEST_CASE("domains need an edge that is official, and will be for thirty days") {
    CHECK(check_official(k_now + k_month, k_now) == check_ok("identity", "certified until "
                                                                         "2027-02-14"));
    CHECK(check_official(std::nullopt, k_now).verdict == Verdict::failed);
    CHECK(says(check_official(k_now + k_month - UnixTime(1), k_now), "expires on 2027-02-14"));
    CHECK(says(check_official(k_now, k_now), "expires on"));
    CHECK(says(check_official(k_now - UnixTime(1), k_now), "expired on 2027-01-15"));
    CHECK(check_official(k_now - UnixTime(1), k_now).verdict == Verdict::failed);
}
