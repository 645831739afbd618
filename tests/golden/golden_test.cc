// What the core renders against tests/golden: the files Traefik, rathole, Avahi and the box's units
// read, and the bodies of the API, each as one line.
#include "core/heartbeat_api.h"
#include "core/lan_advert.h"
#include "core/path_env.h"
#include "core/rathole_config.h"
#include "core/register_api.h"
#include "core/relay_api.h"
#include "core/relay_pass_key.h"
#include "core/traefik_config.h"

#include "golden/golden.h"
#include "support/catch.h"
#include "unit/core/make.h"

#include <sstream>
#include <string>

using namespace losos;
using namespace losos::make;

namespace {

// Numbers that nobody could take for a secret.
const std::string k_noise_private = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const std::string k_noise_public = "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

Token bootstrap_token() {
    return sound(Token::parse("0123456789abcdef0123456789abcdef"));
}

Token acme_token() {
    return sound(Token::parse("acme-acme-acme-acme-acme-acme-acme"));
}

Token mattbox_token() {
    return sound(Token::parse("mattbox-mattbox-mattbox-mattbox-mattbox"));
}

RelayPass sample_pass() {
    return pass("500000", '0');
}

Router router(std::string_view id, std::string_view host, int number, RouterTls tls) {
    return {row_id(id), name(host), port(number), std::move(tls)};
}

RatholeServerHead server_head(std::string_view bind) {
    return {sound(SocketAddress::parse(bind)), std::nullopt, std::nullopt};
}

RatholeClientHead client_head(std::string_view remote) {
    return {sound(Endpoint::parse(remote)), std::nullopt, std::nullopt};
}

std::vector<RatholeService> hub_services() {
    return {{row_id("acme.mattbox"), acme_token(), port(20001)},
            {row_id("acme"), acme_token(), port(20000)}};
}

EdgePath path(std::string_view url, std::string_view rathole, PathSource source,
              std::string noise_pub) {
    return {sound(HttpUrl::parse(url)), sound(Endpoint::parse(rathole)), source,
            std::move(noise_pub)};
}

/// A body of the API has no line end; a file has one.
void check_body(std::string_view golden_name, const std::string& body) {
    golden::check(golden_name, body + "\n");
}

} // namespace

TEST_CASE("golden/traefik: a hub asks for a certificate a name") {
    const RouterTls le{"le", std::nullopt};
    golden::check("traefik/hub.yml",
                  *render_traefik({router("acme.mattbox", "mattbox.acme.losos.cfd", 20001, le),
                                   router("acme", "acme.losos.cfd", 20000, le)}));
}

TEST_CASE("golden/traefik: relayed boxes share the wildcard of their zone") {
    const RouterTls le{"le", std::nullopt};
    const RouterTls wildcard{"wildcard", name("acme.losos.cfd")};
    golden::check(
        "traefik/wildcard.yml",
        *render_traefik({router("acme", "acme.losos.cfd", 20000, le),
                         router("acme.mattbox", "mattbox.acme.losos.cfd", 20001, wildcard),
                         router("acme.annabox", "annabox.acme.losos.cfd", 20002, wildcard)}));
}

TEST_CASE("golden/traefik: a gateway asks nobody for a certificate") {
    golden::check("traefik/gateway.yml",
                  *render_traefik({router("mattbox", "mattbox.acme.losos.cfd", 20000, {})}));
}

TEST_CASE("golden/rathole-server: no box yet") {
    golden::check("rathole-server/empty.toml",
                  render_rathole_server(server_head("0.0.0.0:2333"), {}));
}

TEST_CASE("golden/rathole-server: no box yet, with a bootstrap token and Noise") {
    auto head = server_head("0.0.0.0:2333");
    head.bootstrap_token = bootstrap_token();
    head.noise_private_key = sound(NoiseKey::parse(k_noise_private));
    golden::check("rathole-server/seeded.toml", render_rathole_server(head, {}));
}

TEST_CASE("golden/rathole-server: boxes without Noise") {
    auto head = server_head("0.0.0.0:2333");
    head.bootstrap_token = bootstrap_token();
    golden::check("rathole-server/plain.toml", render_rathole_server(head, hub_services()));
}

TEST_CASE("golden/rathole-server: boxes with Noise") {
    auto head = server_head("0.0.0.0:2333");
    head.bootstrap_token = bootstrap_token();
    head.noise_private_key = sound(NoiseKey::parse(k_noise_private));
    golden::check("rathole-server/noise.toml", render_rathole_server(head, hub_services()));
    golden::check("rathole-server/masked.toml",
                  render_rathole_server(head, hub_services(), Secrets::masked));
}

TEST_CASE("golden/rathole-server: an IPv6 address stands in brackets") {
    golden::check("rathole-server/ipv6.toml",
                  render_rathole_server(server_head("[::]:2333"),
                                        {{row_id("mattbox"), mattbox_token(), port(20000)}}));
}

TEST_CASE("golden/rathole-server: a token of quotes, backslashes and letters of any script") {
    auto odd = sound(Token::parse("quote \" backslash \\ r\xc3\xbc"
                                  "be 0123456789abcdef"));
    golden::check("rathole-server/odd-token.toml",
                  render_rathole_server(server_head("127.0.0.1:2333"),
                                        {{row_id("mattbox"), std::move(odd), port(20000)}}));
}

TEST_CASE("golden/rathole-client: a gateway's uplink") {
    auto head = client_head("losos.cfd:2333");
    head.bootstrap_token = bootstrap_token();
    head.remote_public_key = sound(NoiseKey::parse(k_noise_public));
    const auto text =
        render_rathole_client(head, {{row_id("acme.mattbox"), acme_token(), port(20000)},
                                     {row_id("acme.annabox"), acme_token(), port(20001)}});
    golden::check("rathole-client/uplink.toml", text);
    CHECK(sound(parse_rathole_client_services(golden::text_of("rathole-client/uplink.toml"))) ==
          std::vector<RowId>{row_id("acme.annabox"), row_id("acme.mattbox")});
}

TEST_CASE("golden/rathole-client: an uplink of which the hub accepted no box") {
    auto head = client_head("losos.cfd:2333");
    head.bootstrap_token = acme_token();
    golden::check("rathole-client/uplink-empty.toml", render_rathole_client(head, {}));
}

TEST_CASE("golden/rathole-client: a box without Noise, over IPv6") {
    auto head = client_head("[fd00::1]:2333");
    head.bootstrap_token = mattbox_token();
    golden::check("rathole-client/box.toml",
                  render_rathole_client(head, {{row_id("mattbox"), mattbox_token(), port(80)}}));
}

TEST_CASE("golden/lan-advert: enrolment open and closed") {
    LanAdvert advert{name("gateway.local"), port(8443), port(2333), true};
    golden::check("lan-advert/open.xml", render_lan_advert(advert));
    advert.enrolment_open = false;
    golden::check("lan-advert/closed.xml", render_lan_advert(advert));
}

TEST_CASE("golden/edge-path-env: a gateway on the LAN and the configured hub") {
    const auto lan = path("http://gateway.local:8443", "gateway.local:2333", PathSource::lan,
                          "/var/secrets/losos-edge-pins/gateway.local_8443.pub");
    const auto configured = path("https://losos.cfd", "losos.cfd:2333", PathSource::configured,
                                 "/var/secrets/losos-rathole-noise-pub");
    golden::check("edge-path-env/lan.env", sound(render_edge_path(lan)));
    golden::check("edge-path-env/configured.env", sound(render_edge_path(configured)));
    CHECK(sound(parse_edge_path(golden::text_of("edge-path-env/lan.env"))) == lan);
    CHECK(sound(parse_edge_path(golden::text_of("edge-path-env/configured.env"))) == configured);
}

TEST_CASE("golden/register: the call with and without a pass, and the answer") {
    RegisterCall call{"mattbox", mattbox_token().reveal(), "mattbox.acme.losos.cfd", {}};
    check_body("register/call.json", render_register_call(call));
    call.relay_pass = {PassUpdate::What::set, sample_pass()};
    check_body("register/call-with-pass.json", render_register_call(call));
    check_body("register/answer.json", render_register_answer(port(20000)));
    check_body("register/deregister.json",
               render_deregister_call({"mattbox", mattbox_token().reveal()}));
    CHECK(sound(parse_register_call(golden::text_of("register/call-with-pass.json"))).relay_pass ==
          call.relay_pass);
    CHECK(sound(parse_register_answer(golden::text_of("register/answer.json"))) == port(20000));
}

TEST_CASE("golden/heartbeat: bare, and with idleness and a pass") {
    HeartbeatCall call{"mattbox", mattbox_token().reveal(), std::nullopt, {}};
    check_body("heartbeat/bare.json", render_heartbeat_call(call));
    call.idle = true;
    call.relay_pass = {PassUpdate::What::set, sample_pass()};
    check_body("heartbeat/idle.json", render_heartbeat_call(call));
    CHECK(sound(parse_heartbeat_call(golden::text_of("heartbeat/idle.json"))).idle == true);
}

TEST_CASE("golden/relay-answer: what a gateway lists and what the hub answers") {
    const RelayCall call{"acme",
                         acme_token().reveal(),
                         {{"mattbox", "mattbox.acme.losos.cfd", sample_pass()},
                          {"annabox", "annabox.lan", std::nullopt}}};
    const RelayAnswer answer{{{label("mattbox"), name("mattbox.acme.losos.cfd"), port(20001)}},
                             {{"annabox", "the hostname is not one label under acme.losos.cfd"}},
                             {{"mattbox", "shop.example.org"}}};
    check_body("relay-answer/call.json", render_relay_call(call));
    check_body("relay-answer/mixed.json", render_relay_answer(answer));
    check_body("relay-answer/empty.json", render_relay_answer({}));
    CHECK(sound(parse_relay_call(golden::text_of("relay-answer/call.json"))).tenants ==
          call.tenants);
    const auto back = sound(parse_relay_answer(golden::text_of("relay-answer/mixed.json")));
    CHECK(back.accepted == answer.accepted);
    CHECK(back.refused == answer.refused);
    CHECK(back.routes == answer.routes);
}

TEST_CASE("golden/relay-pass: passes are what another program's HMAC makes them") {
    std::istringstream vectors(golden::text_of("relay-pass/vectors.txt"));
    std::size_t read = 0;
    std::string key, box, pass;
    for (long long when = 0; vectors >> key >> box >> when >> pass; ++read) {
        CAPTURE(box, when);
        const auto hub = sound(RelayPassKey::parse(key));
        CHECK(hub.pass_for(label(box), UnixTime(when)).text() == pass);
        CHECK(hub.check(label(box), sound(RelayPass::parse(pass)), UnixTime(when)) ==
              PassVerdict::good);
    }
    CHECK(read == 11);
}

TEST_CASE("golden/traefik: further names of a registered box and of one behind a gateway") {
    const RouterTls own{"le", std::nullopt};
    const auto further = [&](std::string_view id, std::string_view host, int number) {
        return Router{row_id(id), name(host), port(number), own, RouterKind::further};
    };
    golden::check("traefik/further.yml",
                  *render_traefik({{row_id("acme.mattbox"), name("mattbox.acme.losos.cfd"),
                                    port(20001), RouterTls{"dns", name("acme.losos.cfd")}},
                                   further("acme.mattbox", "cloud.example.org", 20001),
                                   further("acme.mattbox", "shop.example.org", 20001),
                                   {row_id("zoe"), name("zoe.losos.cfd"), port(20003), own},
                                   further("zoe", "zoe.example.org", 20003)}));
}
