#include "core/retry_delay.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("the pause doubles up to thirty seconds") {
    CHECK(retry_delay(1, 1) == Duration(1000));
    CHECK(retry_delay(2, 1) == Duration(2000));
    CHECK(retry_delay(5, 1) == Duration(16000));
    CHECK(retry_delay(6, 1) == Duration(30000));
    CHECK(retry_delay(1000000, 1) == Duration(30000));
    CHECK(retry_delay(0, 1) == Duration(1000));
}

TEST_CASE("jitter takes away up to a half") {
    CHECK(retry_delay(6, 0) == Duration(15000));
    CHECK(retry_delay(6, 0.5) == Duration(22500));
    CHECK(retry_delay(6, 7) == Duration(30000));
    CHECK(retry_delay(6, -1) == Duration(15000));
}
