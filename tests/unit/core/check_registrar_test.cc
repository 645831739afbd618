#include "core/check_registrar.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("a registrar that reconciles is fine, and each fault it names is one of the machine") {
    const RegistrarFacts facts{LiveVerdict::fresh, false, Duration(4500), {"token file x: empty"}};
    const auto checks = check_registrar(facts);
    REQUIRE(checks.size() == 2);
    CHECK(checks[0] == check_ok("registrar", "last reconcile 4 s ago"));
    CHECK(checks[1] == check_failed("registrar", "token file x: empty"));
}

TEST_CASE(
    "a registrar that stopped, hangs or never ran is one fault, and its old ones are not told") {
    const auto said = [](const RegistrarFacts& facts) {
        const auto checks = check_registrar(facts);
        REQUIRE(checks.size() == 1);
        CHECK(checks[0].verdict == Verdict::failed);
        return checks[0].says;
    };
    CHECK(said({LiveVerdict::fresh, true, Duration(0), {"old"}}).find("stopped") !=
          std::string::npos);
    CHECK(said({LiveVerdict::stale, false, Duration(300000), {"old"}}).find("for 300 s") !=
          std::string::npos);
    CHECK(said({LiveVerdict::other_boot, false, Duration(0), {}}).find("since this machine") !=
          std::string::npos);
    CHECK(said({LiveVerdict::no_status, false, Duration(0), {}}).find("systemctl start") !=
          std::string::npos);
}
