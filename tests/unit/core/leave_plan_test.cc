#include "core/leave_plan.h"

#include "support/catch.h"

using namespace losos;

namespace {

constexpr double k_full = 1;

MonotonicTime at(long long ms) {
    return MonotonicTime{ms};
}

const HttpUrl k_gateway = *HttpUrl::parse("http://gateway.local:8443");
const HttpUrl k_hub = *HttpUrl::parse("https://edge.losos.example");

} // namespace

TEST_CASE("with nothing left there is nothing due") {
    const LeavePlan plan;
    CHECK_FALSE(plan.due());
    CHECK_FALSE(plan.next());
}

TEST_CASE("an edge that answers or refuses is done with") {
    for (const int status : {204, 400, 401, 403, 404, 409}) {
        CAPTURE(status);
        LeavePlan plan;
        plan.leave(k_gateway, at(5));
        CHECK(plan.due() == at(5));
        CHECK((plan.next() == k_gateway));
        CHECK(plan.answered(k_gateway, status, at(10), k_full));
        CHECK_FALSE(plan.due());
    }
}

TEST_CASE("an edge that does not answer is asked again, ever more slowly") {
    for (const auto& status : {std::optional<int>(), std::optional<int>(503)}) {
        LeavePlan plan;
        plan.leave(k_gateway, at(0));
        CHECK_FALSE(plan.answered(k_gateway, status, at(0), k_full));
        CHECK(plan.due() == at(1000));
        CHECK_FALSE(plan.answered(k_gateway, status, at(1000), k_full));
        CHECK(plan.due() == at(3000));
        CHECK(plan.answered(k_gateway, 204, at(3000), k_full));
    }
}

TEST_CASE("a silent edge does not hold up another one") {
    LeavePlan plan;
    plan.leave(k_gateway, at(0));
    plan.answered(k_gateway, std::nullopt, at(0), k_full);
    plan.leave(k_hub, at(10));
    CHECK((plan.next() == k_hub));
    CHECK(plan.answered(k_hub, 204, at(20), k_full));
    CHECK((plan.next() == k_gateway));
    CHECK(plan.due() == at(1000));
}

TEST_CASE("an edge the box is registered with again is not left") {
    LeavePlan plan;
    plan.leave(k_gateway, at(0));
    plan.stay(k_gateway);
    CHECK_FALSE(plan.due());
}
