#include "core/idleness.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("a box is idle below 0.3 of load for each processor") {
    CHECK(judge_idle("0.29 0.50 0.60 1/200 4711\n", 1) == true);
    CHECK(judge_idle("0.30 0.00 0.00 1/200 4711\n", 1) == false);
    CHECK(judge_idle("1.19 0.00 0.00 1/200 4711\n", 4) == true);
    CHECK(judge_idle("1.21 0.00 0.00 1/200 4711\n", 4) == false);
    CHECK(judge_idle("0.00 0.00 0.00 1/200 4711\n", 1) == true);
}

TEST_CASE("what makes no sense is unknown") {
    CHECK(judge_idle("", 4) == std::nullopt);
    CHECK(judge_idle("idle", 4) == std::nullopt);
    CHECK(judge_idle("0.1x 0", 4) == std::nullopt);
    CHECK(judge_idle("0.1", 4) == std::nullopt);
    CHECK(judge_idle("-1.0 0", 4) == std::nullopt);
    CHECK(judge_idle("nan 0", 4) == std::nullopt);
    CHECK(judge_idle("0.10 0", 0) == std::nullopt);
    CHECK(judge_idle("0.10 0", -1) == std::nullopt);
}
