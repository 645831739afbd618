// The files of our own against tests/golden: written byte for byte, and read back whole.
#include "files/announced_file.h"
#include "files/compute_windows_file.h"
#include "files/edge_file.h"
#include "files/hub_routes_file.h"
#include "files/identity_cert_file.h"
#include "files/live_file.h"
#include "files/metrics_file.h"
#include "files/refused_file.h"
#include "files/registry_file.h"
#include "files/relay_routes_file.h"
#include "files/status_file.h"
#include "files/tenants_file.h"
#include "files/uplink_file.h"
#include "files/uplink_status_file.h"

#include "golden/golden.h"
#include "support/catch.h"
#include "unit/core/make_identity.h"
#include "unit/files/make.h"

using namespace losos;
using namespace losos::make;

namespace {

Registry registry() {
    Registry registry;
    registry.rows = {
        {row_id("acme"), {name("acme.losos.example"), port(20000)}},
        {row_id("acme.mattbox"), {name("mattbox.acme.losos.example"), port(20001)}},
        {row_id("zoe"), {name("zoe.losos.example"), port(20003)}},
    };
    registry.compute_windows = {{label("zoe"), {true, "22:00", "06:00", "Europe/Berlin"}}};
    registry.resting = {{port(20002), {row_id("acme.oldbox"), UnixTime(1'800'000'120)}}};
    return registry;
}

status_file::Status edge_status() {
    using status_file::Kind;
    status_file::Status status;
    status.version = "0.1.0";
    status.boot_id = "5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b10";
    status.reconciled = MonotonicTime(86'400'000);
    status.heartbeat_ttl = Duration(120'000);
    status.started_at = UnixTime(1'800'000'000);
    status.counts = {2, 0, 2, 1, 9'996, 1, 3, 1, 1, 2};
    status.identity = status_file::Certified{"LosOS Zürich", "https://edge.losos.example",
                                             UnixTime(1'831'536'000)};
    status.zone = status_file::Zone{name("boxes.losos.example"),
                                    "/var/lib/losos-dns/boxes.losos.example.zone",
                                    {"198.51.100.1", "2001:db8::1"}};
    status.faults = {"token file /etc/losos/tokens/anna: No such file or directory"};
    status.rows = {
        {row_id("acme"), Kind::listed, name("acme.losos.example"), port(20000), Duration(12'000)},
        {row_id("acme.mattbox"), Kind::relayed, name("mattbox.acme.losos.example"), port(20001),
         Duration(8'000)},
        {row_id("zoe"), Kind::listed, name("zoe.losos.example"), port(20003), Duration(29'000)},
    };
    return status;
}

EdgeDocument box_at_home() {
    const auto gateway = url("http://192.168.1.2:8443");
    const auto hub = url("https://edge.losos.example");
    EdgeDocument document;
    document.reachable = true;
    document.official = true;
    document.edges = {
        {"edge.losos.example", hub, PathSource::configured, true,
         endpoint("edge.losos.example:2333")},
        {"LosOS edge on gw", gateway, PathSource::lan, false, endpoint("192.168.1.2:2333")}};
    document.lan_searched = true;
    document.configured_url = hub;
    document.checked_at = UnixTime(1'800'000'060);
    document.path = EdgeDocument::Path{"LosOS edge on gw", gateway, endpoint("192.168.1.2:2333"),
                                       PathSource::lan};
    document.reason = describe(ChoiceReason::first_lan_edge);
    document.candidates = {
        {"edge.losos.example", hub, PathSource::configured, HealthState::up,
         EdgeDocument::Probe{ProbeResult::ok, UnixTime(1'800'000'054)}, std::nullopt},
        {"LosOS edge on gw", gateway, PathSource::lan, HealthState::up,
         EdgeDocument::Probe{ProbeResult::ok, UnixTime(1'800'000'060)}, std::nullopt},
        {"LosOS edge on gw #2", url("http://192.168.1.66:8443"), PathSource::lan, HealthState::down,
         EdgeDocument::Probe{ProbeResult::wrong_key, UnixTime(1'799'999'700)},
         EdgeDocument::Ban{NoUse::wrong_key, UnixTime(1'800'000'300)}}};
    return document;
}

UplinkConfig uplink() {
    return {url("https://edge.losos.example"),
            endpoint("edge.losos.example:2333"),
            label("acme"),
            "/var/lib/losos-edge/uplink.token",
            "/var/lib/losos-edge/uplink-bootstrap.token",
            "/etc/losos/hub-noise.pub"};
}

UplinkStatus uplink_status() {
    UplinkStatus status;
    status.at = UnixTime(1'800'000'020);
    status.answered_at = UnixTime(1'800'000'020);
    status.hub = "https://edge.losos.example";
    status.id = "acme";
    status.accepted = {{label("mattbox"), name("mattbox.acme.losos.example"), port(20001)}};
    status.refused = {{"anna", "hostname anna.lan is not one label under acme.losos.example"}};
    return status;
}

} // namespace

TEST_CASE("golden/registry") {
    const PortRange ports = port_range("20000-29999");
    golden::check("registry/full.json", registry_file::render(registry()));
    golden::check("registry/empty.json", registry_file::render({}));
    const auto full = registry_file::load(golden::path_of("registry/full.json"), ports);
    CHECK(full.value()->registry == registry());
    CHECK(full.value()->dropped.empty());
    const auto empty = registry_file::load(golden::path_of("registry/empty.json"), ports);
    CHECK(empty.value()->registry == Registry{});
}

TEST_CASE("golden/tenants: the operator's own text is read") {
    const auto list = tenants_file::load(golden::path_of("tenants/hub.json"));
    REQUIRE(list.value());
    CHECK(list.value()->faulty.empty());
    const auto& tenants = list.value()->tenants;
    REQUIRE(tenants.size() == 2);
    CHECK(tenants[0].id == label("acme"));
    CHECK(tenants[0].relay_zone == name("acme.losos.example"));
    CHECK(tenants[1].id == label("zoe"));
    CHECK(tenants[1].hostname == name("zoe.losos.example"));
    CHECK(tenants[1].cluster);
}

TEST_CASE("golden/live") {
    const std::vector<LiveBox> boxes{
        {label("zoe"), name("zoe.losos.example"), port(20003), std::nullopt},
        {label("mattbox"), name("mattbox.acme.losos.example"), port(20000), pass("500000")}};
    golden::check("live/two.json", live_file::render(boxes));
    golden::check("live/none.json", live_file::render({}));
    CHECK(live_file::load(golden::path_of("live/two.json")).value() == boxes);
}

TEST_CASE("golden/status") {
    golden::check("status/hub.json", status_file::render(edge_status()));
    CHECK(status_file::load(golden::path_of("status/hub.json")).value() == edge_status());

    status_file::Status gateway = edge_status();
    gateway.lan = status_file::Lan{"http://gw.local:8443", "gw.local:2333", true};
    gateway.identity.reset();
    gateway.zone.reset();
    gateway.faults.clear();
    gateway.rows.clear();
    gateway.counts = {0, 0, 0, 0, 10'000, 0};
    golden::check("status/gateway.json", status_file::render(gateway));
    CHECK(status_file::load(golden::path_of("status/gateway.json")).value() == gateway);
}

TEST_CASE("golden/uplink") {
    golden::check("uplink/full.json", uplink_file::render(uplink()));
    CHECK(uplink_file::load(golden::path_of("uplink/full.json")).value() == uplink());

    UplinkConfig bare = uplink();
    bare.bootstrap_token_file.reset();
    bare.noise_public_key_file.reset();
    golden::check("uplink/bare.json", uplink_file::render(bare));
    CHECK(uplink_file::load(golden::path_of("uplink/bare.json")).value() == bare);
}

TEST_CASE("golden/uplink-status") {
    golden::check("uplink-status/relaying.json", uplink_status_file::render(uplink_status()));
    CHECK(uplink_status_file::load(golden::path_of("uplink-status/relaying.json")).value() ==
          uplink_status());

    UplinkStatus failed = uplink_status();
    failed.at = UnixTime(1'800'000'080);
    failed.left_out = {label("box65"), label("box66")};
    failed.error = "https://edge.losos.example does not answer";
    golden::check("uplink-status/failed.json", uplink_status_file::render(failed));
    CHECK(uplink_status_file::load(golden::path_of("uplink-status/failed.json")).value() == failed);
}

TEST_CASE("golden/hub-routes") {
    golden::check("hub-routes/two.json",
                  hub_routes_file::render(
                      {{"mattbox", "shop.example.org"}, {"mattbox", "cloud.example.org"}}));
    golden::check("hub-routes/none.json", hub_routes_file::render({}));
    CHECK(
        hub_routes_file::load(golden::path_of("hub-routes/two.json")).value() ==
        std::vector<RelayRoute>{{"mattbox", "cloud.example.org"}, {"mattbox", "shop.example.org"}});
}

TEST_CASE("golden/compute-windows") {
    const std::vector<ComputeNode> nodes{
        {label("annabox"), {true, "22:00", "06:00", "Europe/Berlin"}, true},
        {label("zoe"), {}, false}};
    golden::check("compute-windows/two.json", compute_windows_file::render(nodes));
    golden::check("compute-windows/none.json", compute_windows_file::render({}));
    CHECK(compute_windows_file::load(golden::path_of("compute-windows/two.json")).value() == nodes);
}

TEST_CASE("golden/relay-routes") {
    const Bindings bindings{{label("annabox"), {label("beta"), PassHour(499'999)}},
                            {label("mattbox"), {label("acme"), PassHour(500'000)}}};
    golden::check("relay-routes/two.json",
                  relay_routes_file::render(
                      bindings, {{name("shop.example.org"), label("mattbox"), label("acme")},
                                 {name("cloud.example.org"), label("mattbox"), label("acme")}}));
    golden::check("relay-routes/none.json", relay_routes_file::render({}, {}));
    const auto back = relay_routes_file::load(golden::path_of("relay-routes/two.json"));
    CHECK(back.value()->bindings == bindings);
}

TEST_CASE("golden/metrics") {
    metrics_file::Metrics metrics;
    metrics.version = "0.1.0";
    metrics.started_at = UnixTime(1'800'000'000);
    metrics.reconciled_at = UnixTime(1'800'000'060);
    metrics.tenants_listed = 2;
    metrics.live_direct = 2;
    metrics.live_relayed = 1;
    metrics.ports_free = 9'996;
    metrics.ports_resting = 1;
    metrics.domains_live = 3;
    metrics.domains_waiting = 1;
    metrics.bindings = 1;
    metrics.routes = 2;
    metrics.faults = 1;
    metrics.certified_until = UnixTime(1'831'536'000);
    metrics.answered = {
        {{"/heartbeat", 204}, 480}, {{"/register", 200}, 3}, {{"/register", 401}, 1}};
    metrics.shed = 2;
    metrics.commits_done = 3;
    metrics.commits_failed = 1;
    metrics.pruned = 1;
    metrics.reconciles_done = 9;
    metrics.reconcile_time = std::chrono::microseconds(1'012'345);
    metrics.reconcile_last = std::chrono::microseconds(750);
    metrics.traefik_writes = 4;
    metrics.rathole_writes = 5;
    golden::check("metrics/busy.prom", metrics_file::render(metrics));
}

TEST_CASE("golden/announced") {
    const Announced announced{url("http://gw.local:8443"), UnixTime(1'800'000'000)};
    golden::check("announced/lan.json", announced_file::render(announced));
    CHECK(announced_file::load(golden::path_of("announced/lan.json")).value() == announced);
    const Announced leaving{announced.url, announced.at, {url("http://old.local:8443")}};
    golden::check("announced/leaving.json", announced_file::render(leaving));
    CHECK(announced_file::load(golden::path_of("announced/leaving.json")).value() == leaving);
    const Announced asked{std::nullopt, UnixTime(0), {url("https://edge.losos.example")}};
    golden::check("announced/asked.json", announced_file::render(asked));
    CHECK(announced_file::load(golden::path_of("announced/asked.json")).value() == asked);
}

TEST_CASE("golden/refused") {
    const std::vector<Refusal> refusals{
        {url("http://gw.local:8443"), 401, UnixTime(1'800'000'000)},
        {url("http://other.local:8443"), 409, UnixTime(1'800'000'030)}};
    golden::check("refused/two.json", refused_file::render(refusals));
    CHECK(refused_file::load(golden::path_of("refused/two.json")).value() == refusals);
}

TEST_CASE("golden/edge") {
    const auto home = box_at_home();
    golden::check("edge/home.json", edge_file::render(home));
    CHECK(edge_file::load(golden::path_of("edge/home.json")).value() == home);
    golden::check("gates/open.json", render_gates(home));

    EdgeDocument none;
    none.lan_searched = true;
    none.configured_url = home.configured_url;
    none.checked_at = home.checked_at;
    none.reason = explain({std::nullopt, ChoiceReason::none_answers, LeaveReason::silent});
    none.candidates = {home.candidates[0]};
    none.candidates[0].state = HealthState::down;
    none.candidates[0].probe->result = ProbeResult::no_answer;
    golden::check("edge/none.json", edge_file::render(none));
    CHECK(edge_file::load(golden::path_of("edge/none.json")).value() == none);
    golden::check("gates/shut.json", render_gates(none));
}

TEST_CASE("golden/identity") {
    golden::check("identity/certificate.json", render_identity_certificate(certificate()));
    CHECK(identity_cert_file::load(golden::path_of("identity/certificate.json")).value() ==
          certificate());
    golden::check("identity-answer/edge.json", render_identity_answer(identity_answer()) + "\n");
    CHECK(parse_identity_answer(golden::text_of("identity-answer/edge.json")).value() ==
          identity_answer());
}
