#include "core/check_uplink.h"

#include "support/catch.h"
#include "unit/core/make.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

PassFacts recent() {
    PassFacts pass;
    pass.age = UnixTime(4);
    pass.answer_age = UnixTime(4);
    return pass;
}

Check first_of(const std::optional<PassFacts>& pass) {
    return check_pass(pass).front();
}

bool has(const Check& check, const std::string& words) {
    return check.says.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a pass that went well not long ago is fine") {
    CHECK(check_pass(recent()).size() == 1);
    CHECK(first_of(recent()).verdict == Verdict::ok);
    auto earlier_clock = recent();
    earlier_clock.age = UnixTime(-500);
    CHECK(first_of(earlier_clock) == check_ok("uplink pass", "0 s ago"));
}

TEST_CASE("a pass that is late, held back, in error or that never was is a fault") {
    CHECK(first_of(std::nullopt).verdict == Verdict::failed);
    auto pass = recent();
    pass.age = UnixTime(61);
    CHECK(has(first_of(pass), "61 s ago"));
    pass = recent();
    pass.held_back = "the registrar is dead";
    CHECK(has(first_of(pass), "the registrar is dead"));
    pass = recent();
    pass.error = "the hub did not answer";
    CHECK(first_of(pass) == check_failed("uplink pass", "the hub did not answer"));
}

TEST_CASE("each box the hub does not take is named with the reason") {
    auto pass = recent();
    pass.refused = {{"anna", "not one label under acme.test"}};
    pass.left_out = {"zoe"};
    const auto checks = check_pass(pass);
    REQUIRE(checks.size() == 3);
    CHECK(checks[0].verdict == Verdict::ok);
    CHECK(checks[1] ==
          check_failed("relay of anna", "the hub refuses it: not one label under acme.test"));
    CHECK(checks[2].what == "relay of zoe");
    CHECK(checks[2].verdict == Verdict::failed);
}

TEST_CASE("the hub's opinion on a box is what its last answer says") {
    const std::vector<AcceptedBox> accepted{{label("a"), name("a.test"), port(20000)},
                                            {label("b"), name("b.test"), port(20001)}};
    const std::vector<RefusedBox> refused{{"b", "name taken"}};
    const std::vector<DnsLabel> left_out{label("c")};
    CHECK(opinion_on("a", accepted, refused, left_out) == HubOpinion{HubVerdict::accepted, ""});
    CHECK(opinion_on("b", accepted, refused, left_out) ==
          HubOpinion{HubVerdict::refused, "name taken"});
    CHECK(opinion_on("c", accepted, refused, left_out).verdict == HubVerdict::left_out);
    CHECK(opinion_on("d", accepted, refused, left_out).verdict == HubVerdict::unknown);
}
