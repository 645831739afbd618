// What `losos-edge doctor` prints against tests/golden: the examples of losos-edge(8).
#include "core/check_edge.h"
#include "core/check_files.h"
#include "core/check_host.h"
#include "core/check_registrar.h"
#include "core/check_units.h"
#include "core/check_uplink.h"
#include "core/doctor.h"

#include "golden/golden.h"
#include "support/catch.h"
#include "unit/files/make.h"

using namespace losos;
using namespace losos::make;

namespace {

constexpr UnixTime k_now{1'800'000'020};

UnitFacts unit(const std::string& name) {
    return {name, "loaded", "active", "running", "disabled", 0};
}

Check token_that_others_can_read() {
    const FileWish wish{"/var/lib/losos-edge/uplink.token",
                        FileKind::file,
                        Presence::needed,
                        0600,
                        0400,
                        "losos-edge",
                        ""};
    FileFacts facts;
    facts.access = FileFacts::Access::found;
    facts.mode = 0644;
    facts.owner = "losos-edge";
    return *check_file(wish, facts);
}

/// A gateway whose operator copied a token by hand, and whose box has no web server.
Examination gateway() {
    const auto hub = url("https://edge.losos.example");
    const LocalAnswer page{LocalAnswer::Kind::answered, 200, ""};
    const LocalAnswer nobody{LocalAnswer::Kind::hung_up, 0, ""};
    Examination examination{{Machine::gateway}, {}};
    auto& checks = examination.checks;
    checks.push_back(check_clock(k_now));
    checks.push_back(check_unit(unit("losos-registrar.service"), UnitWish::up));
    checks.push_back(check_unit(unit("losos-traefik.service"), UnitWish::up));
    checks.push_back(token_that_others_can_read());
    checks.push_back(check_registrar({LiveVerdict::fresh, false, Duration(4000), {}}).front());
    checks.push_back(check_port({443, "traefik", "losos-traefik.service", ""},
                                {true, {{"traefik", "412", "losos-traefik.service"}}}));
    checks.push_back(check_route("mattbox.acme.losos.example", page, "", {}));
    checks.push_back(check_tunnel({"mattbox", "20000", TunnelEnd::box, nobody}));
    checks.push_back(check_advert("", "http://gateway.local:8443", {true, true, false, false}));
    checks.push_back(check_pass(PassFacts{UnixTime(4), UnixTime(4), {}, {}, {}, {}}).front());
    checks.push_back(check_health("hub", hub, {EdgeAnswer{200, "ok"}, ""}));
    checks.push_back(check_clock_against(hub.text(), k_now, k_now));
    checks.push_back(check_key("hub", hub, {NoiseVerdict::same, {}}, "", ""));
    checks.push_back(check_token("hub", hub, "acme", {EdgeAnswer{404, ""}, ""}, ""));
    return examination;
}

} // namespace

TEST_CASE("golden/doctor") {
    golden::check("doctor/gateway.txt", render_examination(gateway()));
    Examination box{{Machine::box},
                    {check_clock(k_now), check_web_server({LocalAnswer::Kind::refused, 0, ""})}};
    golden::check("doctor/box.json", render_examination_json(box));
}
