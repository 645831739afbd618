#include "core/liveness.h"

#include "support/catch.h"

using namespace losos;

namespace {

MonotonicTime at(long long seconds) {
    return std::chrono::seconds(seconds);
}

constexpr Duration k_ttl = std::chrono::seconds(120);

LivenessRules rules() {
    return {k_ttl, std::nullopt};
}

LivenessRules shed_at(long long seconds) {
    return {k_ttl, at(seconds)};
}

} // namespace

TEST_CASE("a tenant expires once its last contact is older than the TTL") {
    CHECK_FALSE(has_expired(at(1000), at(1000), rules()));
    CHECK_FALSE(has_expired(at(1000), at(1120), rules()));
    CHECK(has_expired(at(1000), at(1120) + MonotonicTime{1}, rules()));
}

TEST_CASE("nobody expires while load was shed within the last TTL") {
    CHECK_FALSE(has_expired(at(1000), at(1200), shed_at(1100)));
    CHECK_FALSE(has_expired(at(1000), at(1200), shed_at(1080)));
    CHECK(has_expired(at(1000), at(1200), shed_at(1079)));
}

TEST_CASE("three TTLs are the end, load or not") {
    CHECK_FALSE(has_expired(at(1000), at(1360), shed_at(1360)));
    CHECK(has_expired(at(1000), at(1360) + MonotonicTime{1}, shed_at(1360)));
}

TEST_CASE("the longest TTL does not overflow") {
    const LivenessRules endless{Duration::max(), std::nullopt};
    CHECK_FALSE(has_expired(at(0), at(1'000'000'000), endless));
    CHECK(earliest_expiry(at(5), at(10), endless) == MonotonicTime::max());
    const LivenessRules third{Duration::max() / 2, at(4)};
    CHECK_FALSE(has_expired(at(0), at(1'000'000'000), third));
    CHECK(earliest_expiry(at(5), at(10), third) > at(1'000'000'000));
}

TEST_CASE("time nobody was watching is forgiven, never into the future") {
    CHECK(forgive(at(1000), std::chrono::seconds(50), at(1100)) == at(1050));
    CHECK(forgive(at(1000), std::chrono::seconds(100), at(1100)) == at(1100));
    CHECK(forgive(at(1000), std::chrono::seconds(500), at(1100)) == at(1100));
    CHECK(forgive(at(1000), Duration{0}, at(1100)) == at(1000));
    CHECK(forgive(at(1000), Duration::max(), at(1100)) == at(1100));
}

TEST_CASE("the earliest expiry is the first moment that expires") {
    const auto now = at(1050);
    const auto with = GENERATE(rules(), shed_at(900), shed_at(1010), shed_at(1050));
    const auto moment = earliest_expiry(at(1000), now, with);
    CHECK(has_expired(at(1000), moment, with));
    CHECK_FALSE(has_expired(at(1000), moment - MonotonicTime{1}, with));
}

TEST_CASE("shedding puts the earliest expiry off to three TTLs at most") {
    CHECK(earliest_expiry(at(1000), at(1355), shed_at(1355)) == at(1360) + MonotonicTime{1});
}

TEST_CASE("what has expired already is due now") {
    CHECK(earliest_expiry(at(1000), at(5000), rules()) == at(5000));
}
