#include "core/check_edge.h"

#include "support/catch.h"
#include "unit/core/make.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

const HttpUrl k_hub = sound(HttpUrl::parse("https://edge.losos.test"));
const std::string k_pin = "/t/hub-noise.pub";

bool has(const Check& check, const std::string& words) {
    return check.says.find(words) != std::string::npos;
}

EdgeFacts answered(int status, const std::string& body = "") {
    return {EdgeAnswer{status, body}, ""};
}

LocalAnswer local(LocalAnswer::Kind kind, int status = 0, const std::string& body = "") {
    return {kind, status, body};
}

constexpr auto k_answered = LocalAnswer::Kind::answered;

} // namespace

TEST_CASE("an edge is healthy when it says so, and silence and oddness are told apart") {
    CHECK(check_health("hub", k_hub, answered(200, "ok")).verdict == Verdict::ok);
    const auto silent = check_health("hub", k_hub, {std::nullopt, "x:1 did not answer: refused"});
    CHECK(silent.verdict == Verdict::failed);
    CHECK(silent.what == "hub https://edge.losos.test");
    CHECK(has(silent, "x:1 did not answer: refused"));
    const auto odd = check_health("hub", k_hub, answered(200, "<html>"));
    CHECK(odd.verdict == Verdict::failed);
    CHECK(has(odd, "check the URL"));
}

TEST_CASE("a tunnel port is fine when it takes a connection") {
    const auto rathole = sound(Endpoint::parse("edge.losos.test:2333"));
    CHECK(check_tunnel_port("hub", rathole, "").verdict == Verdict::ok);
    const auto check = check_tunnel_port("hub", rathole, "Connection refused");
    CHECK(check.verdict == Verdict::failed);
    CHECK(has(check, "Connection refused; the hub's port 2333 must be open"));
}

TEST_CASE("a changed key is a fault, and no answer is no verdict") {
    CHECK(check_key("hub", k_hub, {NoiseVerdict::same, {}}, "", k_pin).verdict == Verdict::ok);
    CHECK(check_key("hub", k_hub, {NoiseVerdict::plain, {}}, "", k_pin).verdict == Verdict::ok);
    CHECK(check_key("hub", k_hub, {NoiseVerdict::pin_now, {}}, "", k_pin).verdict ==
          Verdict::not_checked);
    const auto check = check_key("hub", k_hub, {NoiseVerdict::changed, {}}, "", k_pin);
    CHECK(check.verdict == Verdict::failed);
    CHECK(has(check, "another key than the one in /t/hub-noise.pub"));
    const auto silent = check_key("hub", k_hub, {NoiseVerdict::no_answer, {}}, "no way", k_pin);
    CHECK(silent.verdict == Verdict::not_checked);
    CHECK(silent.says == "no way");
}

TEST_CASE("a token is refused by 401 alone") {
    const auto verdict = [](const EdgeFacts& facts) {
        return check_token("hub", k_hub, "acme", facts, "/t/uplink.token");
    };
    CHECK(verdict(answered(204)).verdict == Verdict::ok);
    CHECK(verdict(answered(404, "register first")).verdict == Verdict::ok);
    const auto refused = verdict(answered(401, "no"));
    CHECK(refused.verdict == Verdict::failed);
    CHECK(has(refused, "does not take the token in /t/uplink.token for acme"));
    CHECK(verdict(answered(503)).verdict == Verdict::not_checked);
    CHECK(verdict(answered(302)).verdict == Verdict::not_checked);
    CHECK(verdict({std::nullopt, "silence"}).verdict == Verdict::not_checked);
}

TEST_CASE("Traefik has a route unless it answers with its own 404") {
    const auto verdict = [](const LocalAnswer& answer) {
        return check_route("a.test", answer, "/t/losos.yml", {"other.yml", "more.toml"});
    };
    CHECK(verdict(local(k_answered, 200)).verdict == Verdict::ok);
    CHECK(verdict(local(k_answered, 502, "Bad Gateway")).verdict == Verdict::ok);
    CHECK(verdict(local(k_answered, 404, "<h1>Not here</h1>")).verdict == Verdict::ok);
    const auto missing = verdict(local(k_answered, 404, "404 page not found\n"));
    CHECK(missing.verdict == Verdict::failed);
    CHECK(missing.what == "route a.test");
    CHECK(has(missing, "it has not taken /t/losos.yml"));
    CHECK(has(missing, "other.yml, more.toml"));
    const auto alone =
        check_route("a.test", local(k_answered, 404, "404 page not found\n"), "/t/losos.yml", {});
    CHECK_FALSE(has(alone, "spoils"));
    for (const auto kind :
         {LocalAnswer::Kind::refused, LocalAnswer::Kind::hung_up, LocalAnswer::Kind::silent}) {
        CHECK(verdict(local(kind)).verdict == Verdict::failed);
        CHECK(has(verdict(local(kind)), "losos-traefik"));
    }
}

TEST_CASE("a tunnel is told from a web server behind it, and a box from a gateway") {
    TunnelFacts tunnel{"mattbox", "20000", TunnelEnd::box, local(k_answered, 404)};
    CHECK(check_tunnel(tunnel).verdict == Verdict::ok);
    tunnel.answer = local(LocalAnswer::Kind::refused);
    CHECK(has(check_tunnel(tunnel), "nothing is connected to port 20000; on the box"));
    tunnel.answer = local(LocalAnswer::Kind::hung_up);
    CHECK(has(check_tunnel(tunnel), "the box's web server does not answer"));
    tunnel.answer = local(LocalAnswer::Kind::silent);
    CHECK(has(check_tunnel(tunnel), "in time"));
    tunnel.end = TunnelEnd::gateway;
    tunnel.answer = local(LocalAnswer::Kind::refused);
    CHECK(has(check_tunnel(tunnel), "on its gateway"));
    tunnel.answer = local(LocalAnswer::Kind::hung_up);
    CHECK(has(check_tunnel(tunnel), "on the gateway"));
    CHECK(check_tunnel(tunnel).verdict == Verdict::failed);
}

TEST_CASE("a web server has to answer HTTP, whatever it says") {
    CHECK(check_web_server(local(k_answered, 500)).verdict == Verdict::ok);
    CHECK(has(check_web_server(local(LocalAnswer::Kind::refused)), "nobody listens"));
    CHECK(has(check_web_server(local(LocalAnswer::Kind::hung_up)), "does not speak HTTP"));
    CHECK(has(check_web_server(local(LocalAnswer::Kind::silent)), "in time"));
}

TEST_CASE("an advert needs its file, Avahi, and to be seen") {
    const auto verdict = [](const AdvertFacts& facts) {
        return check_advert("/t/losos-edge.service", "http://gw.local:8443", facts);
    };
    CHECK(verdict({true, true, true, true}).verdict == Verdict::ok);
    CHECK(verdict({true, true, false, true}).verdict == Verdict::ok);
    CHECK(has(verdict({false, true, true, false}), "/t/losos-edge.service is missing"));
    CHECK(has(verdict({true, false, false, false}), "systemctl start avahi-daemon"));
    CHECK(has(verdict({true, true, true, false}), "journalctl -u avahi-daemon"));
    CHECK(verdict({true, true, false, false}).verdict == Verdict::not_checked);
}
