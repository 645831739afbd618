#include "core/check_host.h"

#include "support/catch.h"

#include <string>

using namespace losos;

namespace {

constexpr UnixTime k_now{1'800'000'000};

bool has(const Check& check, const std::string& words) {
    return check.says.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a clock of another century is a fault") {
    CHECK(check_clock(k_now).verdict == Verdict::ok);
    const auto check = check_clock(UnixTime(60));
    CHECK(check.verdict == Verdict::failed);
    CHECK(has(check, "1970-01-01 00:01:00 UTC"));
    CHECK(has(check, "timedatectl"));
    CHECK(check_clock(UnixTime(1767225599)).verdict == Verdict::failed);
    CHECK(check_clock(UnixTime(1767225600)).verdict == Verdict::ok);
    CHECK(check_clock(UnixTime(4102444800)).verdict == Verdict::failed);
}

TEST_CASE("two clocks may be five minutes apart") {
    CHECK(check_clock_against("hub", k_now, k_now + UnixTime(300)).verdict == Verdict::ok);
    CHECK(check_clock_against("hub", k_now, k_now - UnixTime(300)).verdict == Verdict::ok);
    const auto behind = check_clock_against("hub", k_now, k_now + UnixTime(301));
    CHECK(behind.verdict == Verdict::failed);
    CHECK(has(behind, "301 s behind"));
    CHECK(has(check_clock_against("hub", k_now, k_now - UnixTime(3600)), "3600 s ahead"));
    CHECK(check_clock_against("hub", k_now, std::nullopt).verdict == Verdict::not_checked);
}

TEST_CASE("a name that leads nowhere says for whom it matters and why") {
    CHECK(check_name("edge.test", "the hub", {{"192.0.2.1"}, ""}).verdict == Verdict::ok);
    const auto check = check_name("edge.test", "the hub", {{}, "Name or service not known"});
    CHECK(check.verdict == Verdict::failed);
    CHECK(check.what == "name edge.test");
    CHECK(has(check, "the hub is not found by that name: Name or service not known"));
}

TEST_CASE("a port belongs to its own program, by its unit or its name") {
    const PortWish wish{443, "traefik", "losos-traefik.service", "no visitor gets in"};
    CHECK(check_port(wish, {true, {{"traefik", "12", ""}}}).verdict == Verdict::ok);
    CHECK(check_port(wish, {true, {{"faketime", "12", "losos-traefik.service"}}}).verdict ==
          Verdict::ok);
    const auto taken = check_port(wish, {true, {{"nginx", "12", "nginx.service"}}});
    CHECK(taken.verdict == Verdict::failed);
    CHECK(has(taken, "nginx (process 12 of nginx.service) has it, not traefik"));
    const auto free = check_port(wish, {false, {}});
    CHECK(free.verdict == Verdict::failed);
    CHECK(has(free, "nobody listens on it, so no visitor gets in"));
    CHECK(check_port(wish, {true, {}}).verdict == Verdict::not_checked);
}
