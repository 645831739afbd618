#include "core/relay_pass.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;

namespace {

const std::string k_mac(64, 'f');

} // namespace

TEST_CASE("a pass is a version, an hour and a code") {
    const auto* hour = GENERATE("0", "1", "483000", "007", "12345678901234567890");
    const auto text = std::string("v1.") + hour + "." + k_mac;
    CHECK(make::sound(RelayPass::parse(text)).text() == text);
}

TEST_CASE("what has not the shape of a pass is refused") {
    const std::string bad = GENERATE(
        std::string(), std::string("v1"), "v2.1." + k_mac, "V1.1." + k_mac, "v1.." + k_mac,
        "v1.-1." + k_mac, "v1.1a." + k_mac, "v1.123456789012345678901." + k_mac,
        "v1.1." + k_mac + "f", "v1.1." + std::string(63, 'f'), "v1.1." + std::string(64, 'F'),
        "v1.1." + std::string(64, 'g'), "v1.1." + k_mac + "\n", " v1.1." + k_mac,
        "v1.1." + k_mac + ".1", "v1.1" + k_mac, std::string(100000, '1'));
    CHECK_FALSE(RelayPass::parse(bad).has_value());
}

TEST_CASE("a pass names its hour as a hub writes one, or none") {
    const auto hour_of = [](const std::string& digits) {
        return make::sound(RelayPass::parse("v1." + digits + "." + k_mac)).hour();
    };
    CHECK(hour_of("0") == PassHour(0));
    CHECK(hour_of("483000") == PassHour(483'000));
    CHECK(hour_of("999999999") == PassHour(999'999'999));
    const auto* odd = GENERATE("00", "0483000", "1000000000", "12345678901234567890");
    CHECK(hour_of(odd) == std::nullopt);
    CHECK(make::sound(RelayPass::parse("v1.5." + k_mac)).code() == k_mac);
}
