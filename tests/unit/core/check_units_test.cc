#include "core/check_units.h"

#include "support/catch.h"

#include <string>

using namespace losos;

namespace {

UnitFacts unit(const std::string& active, const std::string& sub = "running") {
    return {"losos-rathole.service", "loaded", active, sub, "disabled", 0};
}

bool has(const Check& check, const std::string& words) {
    return check.says.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a unit that runs is fine, and one that does not is to be started") {
    CHECK(check_unit(unit("active"), UnitWish::up).verdict == Verdict::ok);
    const auto check = check_unit(unit("inactive", "dead"), UnitWish::up);
    CHECK(check.verdict == Verdict::failed);
    CHECK(check.what == "unit losos-rathole.service");
    CHECK(has(check, "not running; type \"systemctl start losos-rathole.service\""));
}

TEST_CASE("a unit that has failed says with which exit code and what that means") {
    auto facts = unit("failed", "failed");
    facts.exit_status = 6;
    const auto check = check_unit(facts, UnitWish::up);
    CHECK(check.verdict == Verdict::failed);
    CHECK(has(check, "exit 6, not configured or a file that cannot be used"));
    CHECK(has(check, "journalctl -u losos-rathole.service"));
    facts.exit_status = 2;
    CHECK(has(check_unit(facts, UnitWish::passing), "wrong usage"));
    facts.exit_status = 0;
    CHECK(has(check_unit(facts, UnitWish::up), "it has failed;"));
}

TEST_CASE(
    "a unit that systemd starts again and again is a fault, one that is starting no verdict") {
    auto facts = unit("activating", "auto-restart");
    facts.exit_status = 1;
    CHECK(has(check_unit(facts, UnitWish::up), "does not stay up (exit 1)"));
    CHECK(check_unit(unit("activating", "start"), UnitWish::up).verdict == Verdict::not_checked);
}

TEST_CASE("a unit that cannot be started by anybody is told from one that stands") {
    auto facts = unit("inactive", "dead");
    facts.load = "masked";
    CHECK(has(check_unit(facts, UnitWish::up), "systemctl unmask"));
    facts.load = "not-found";
    CHECK(has(check_unit(facts, UnitWish::up), "not installed"));
    facts.load = "bad-setting";
    CHECK(has(check_unit(facts, UnitWish::up), "bad-setting"));
}

TEST_CASE("a unit that should be off is fine when it is, and a fault when it runs") {
    const auto off = check_unit(unit("inactive", "dead"), UnitWish::down, "no uplink is set");
    CHECK(off.verdict == Verdict::ok);
    CHECK(has(off, "no uplink is set"));
    CHECK(check_unit(unit("failed", "failed"), UnitWish::down, "x").verdict == Verdict::ok);
    const auto on = check_unit(unit("active"), UnitWish::down, "no uplink is set");
    CHECK(on.verdict == Verdict::failed);
    CHECK(has(on, "although no uplink is set"));
}

TEST_CASE("a unit that runs and ends only has not to have failed") {
    CHECK(check_unit(unit("inactive", "dead"), UnitWish::passing).verdict == Verdict::ok);
    CHECK(check_unit(unit("activating", "start"), UnitWish::passing).verdict == Verdict::ok);
    CHECK(check_unit(unit("failed", "failed"), UnitWish::passing).verdict == Verdict::failed);
}

TEST_CASE("what runs must come back at a boot: by its target, or each unit by itself") {
    UnitFacts target{"losos-hub.target", "loaded", "active", "active", "enabled", 0};
    auto rathole = unit("active");
    auto traefik = unit("active");
    traefik.name = "losos-traefik.service";
    CHECK(check_start_at_boot(target, {rathole, traefik}).verdict == Verdict::ok);
    target.file_state = "disabled";
    const auto check = check_start_at_boot(target, {rathole, traefik});
    CHECK(check.verdict == Verdict::failed);
    CHECK(has(check, "losos-rathole.service, losos-traefik.service; type \"systemctl enable "
                     "losos-hub.target\""));
    rathole.file_state = "enabled";
    traefik.file_state = "static";
    CHECK(check_start_at_boot(target, {rathole, traefik}).verdict == Verdict::ok);
}
