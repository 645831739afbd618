#include "core/relay_pass_key.h"

#include "base/hex.h"
#include "unit/core/make_passes.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

const DnsLabel k_box = label("mattbox");

PassVerdict verdict(const RelayPass& pass, UnixTime now) {
    return pass_key().check(k_box, pass, now);
}

RelayPass parsed(const std::string& text) {
    return sound(RelayPass::parse(text));
}

} // namespace

TEST_CASE("core/relay_pass_key: a pass is good in its hour and the two after, to the second") {
    const auto pass = true_pass("mattbox", 500'000);
    CHECK(verdict(pass, at_hour(500'000) - UnixTime(1)) == PassVerdict::from_the_future);
    CHECK(verdict(pass, at_hour(500'000)) == PassVerdict::good);
    CHECK(verdict(pass, at_hour(500'003) - UnixTime(1)) == PassVerdict::good);
    CHECK(verdict(pass, at_hour(500'003)) == PassVerdict::expired);
    CHECK(verdict(pass, UnixTime(0)) == PassVerdict::from_the_future);
    CHECK(verdict(pass, UnixTime(-1)) == PassVerdict::from_the_future);
}

TEST_CASE("core/relay_pass_key: the pass of an hour is one pass") {
    CHECK(pass_key().pass_for(k_box, at_hour(7)) ==
          pass_key().pass_for(k_box, at_hour(8) - UnixTime(1)));
    CHECK(pass_key().pass_for(k_box, at_hour(7)) != pass_key().pass_for(k_box, at_hour(8)));
    CHECK(pass_key().pass_for(k_box, UnixTime(-7200)) == pass_key().pass_for(k_box, UnixTime(0)));
}

TEST_CASE("core/relay_pass_key: a pass is of one box, one hour and one key") {
    const auto now = at_hour(500'000);
    CHECK(verdict(true_pass("annabox", 500'000), now) == PassVerdict::forged);
    CHECK(verdict(true_pass("mattbo", 500'000), now) == PassVerdict::forged);
    CHECK(verdict(pass_key('8').pass_for(k_box, now), now) == PassVerdict::forged);
    const auto code = std::string(true_pass("mattbox", 499'999).code());
    CHECK(verdict(parsed("v1.500000." + code), now) == PassVerdict::forged);
    CHECK(verdict(parsed("v1.499999." + code), now) == PassVerdict::good);
}

TEST_CASE("core/relay_pass_key: no other spelling of a good hour is good") {
    const auto code = std::string(true_pass("mattbox", 500'000).code());
    const auto* hour = GENERATE("0500000", "00000000000000500000", "18446744073710051616",
                                "99999999999999999999", "5000000", "50000");
    CHECK(verdict(parsed(std::string("v1.") + hour + "." + code), at_hour(500'000)) ==
          PassVerdict::forged);
}

TEST_CASE("core/relay_pass_key: a pass with one digit changed is forged") {
    const auto good = true_pass("mattbox", 500'000).text();
    const auto first_digit = good.size() - 64;
    for (auto at = first_digit; at < good.size(); ++at) {
        auto changed = good;
        changed[at] = changed[at] == '0' ? '1' : '0';
        CHECK(verdict(parsed(changed), at_hour(500'000)) == PassVerdict::forged);
    }
}

TEST_CASE("core/relay_pass_key: what nobody made is forged, whatever hour it names") {
    const auto* hour = GENERATE("0", "499997", "500000", "500001", "999999999");
    CHECK(verdict(pass(hour), at_hour(500'000)) == PassVerdict::forged);
}

TEST_CASE("core/relay_pass_key: an hour says whether it has expired, a later one has not") {
    CHECK_FALSE(has_expired(PassHour(10), at_hour(10)));
    CHECK_FALSE(has_expired(PassHour(10), at_hour(13) - UnixTime(1)));
    CHECK(has_expired(PassHour(10), at_hour(13)));
    CHECK_FALSE(has_expired(PassHour(10), at_hour(2)));
    CHECK_FALSE(has_expired(PassHour(0), UnixTime(-1'000'000)));
}

TEST_CASE(
    "core/relay_pass_key: a key is 64 lower-case hex digits, and what is no key is not said") {
    const std::string digits(64, 'a');
    CHECK(sound(RelayPassKey::parse(digits)).reveal() == digits);
    CHECK(sound(RelayPassKey::parse("\n " + digits + " \r\n")).reveal() == digits);
    const std::string odd =
        GENERATE(std::string(), std::string("secret"), std::string(63, 'a'), std::string(65, 'a'),
                 std::string(66, 'a'), std::string(64, 'A'), std::string(64, 'g'),
                 std::string(32, 'a') + "\n" + std::string(32, 'a'));
    const auto key = RelayPassKey::parse(odd);
    REQUIRE_FALSE(key);
    CHECK((odd.empty() || key.error().what.find(odd) == std::string::npos));
}

TEST_CASE("core/relay_pass_key: a key that is made is like no other, and is read back") {
    const auto key = RelayPassKey::make();
    CHECK_FALSE(key.same_as(RelayPassKey::make()));
    CHECK(key.same_as(sound(RelayPassKey::parse(key.reveal() + "\n"))));
    CHECK(key.reveal().size() == 64);
    CHECK(hex_decode(key.reveal()));
}
