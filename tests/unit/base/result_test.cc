#include "base/format.h"
#include "base/result.h"

#include "support/catch.h"

#include <memory>

using namespace losos;

namespace {

Result<int> half_of(int number) {
    if (number % 2 != 0) {
        return fail(Errc::refused, "{} is odd", number);
    }
    return number / 2;
}

Result<int> quarter_of(int number) {
    TRY_ASSIGN(const int half, half_of(number));
    return half_of(half);
}

Result<void> need_even(int number) {
    TRY(half_of(number));
    return {};
}

} // namespace

TEST_CASE("base/result: a value comes through every step") {
    REQUIRE(quarter_of(12));
    CHECK(*quarter_of(12) == 3);
    CHECK(need_even(2));
    CHECK(quarter_of(12).value_or(7) == 3);
}

TEST_CASE("base/result: the first error ends the steps and arrives whole") {
    const auto result = quarter_of(6);
    REQUIRE_FALSE(result);
    CHECK(result.error() == Error{Errc::refused, "3 is odd"});
    CHECK(need_even(3).error() == Error{Errc::refused, "3 is odd"});
    CHECK(result.value_or(7) == 7);
}

TEST_CASE("base/result: a value that can only be moved is moved out") {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
    const std::unique_ptr<int> taken = *std::move(result);
    CHECK(*taken == 5);
}
