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
