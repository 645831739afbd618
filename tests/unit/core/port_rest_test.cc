#include "core/port_rest.h"

#include "unit/core/make.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

constexpr MonotonicTime k_end{1'000'000};

/// Three ports: one whose rest ends, one whose rest goes on, one whose rest has not begun.
EdgeState state_with_rests() {
    EdgeState state;
    state.resting = {{port(100), {row_id("alpha"), UnixTime{7}, k_end}},
                     {port(101), {row_id("beta"), UnixTime{8}, k_end + MonotonicTime{1}}},
                     {port(102), {row_id("gamma"), UnixTime{9}, std::nullopt}}};
    return state;
}

} // namespace

TEST_CASE("connections are worth a look when a rest ends, and not before") {
    const auto state = state_with_rests();
    CHECK_FALSE(some_rest_ends(state, k_end - MonotonicTime{1}));
    CHECK(some_rest_ends(state, k_end));
    CHECK_FALSE(some_rest_ends(EdgeState(), k_end));
}

TEST_CASE("a port that somebody is still connected to rests on, and no other does") {
    auto state = state_with_rests();
    prolong_rests(state, {100, 101, 102}, k_end);
    CHECK(state.resting.at(port(100)).free_at == k_end + k_rest_prolonged_by);
    CHECK(state.resting.at(port(101)).free_at == k_end + MonotonicTime{1});
    CHECK(state.resting.at(port(102)).free_at == std::nullopt);
    // No disk is written to for it.
    CHECK(state.resting.at(port(100)).until == UnixTime{7});
}

TEST_CASE("a port that nobody is connected to any more has rested") {
    auto state = state_with_rests();
    prolong_rests(state, {101, 103}, k_end);
    CHECK(state.resting.at(port(100)).free_at == k_end);
}
