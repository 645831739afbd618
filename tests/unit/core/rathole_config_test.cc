#include "core/rathole_config.h"

#include "base/crypto.h"
#include "unit/core/make.h"

#include "support/catch.h"

#include <algorithm>
#include <string>

using namespace losos;
using namespace losos::make;

namespace {

// The base64 of 32 bytes.
const std::string k_key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

RatholeServerHead server_head() {
    return {sound(SocketAddress::parse("0.0.0.0:2333")), token('b'), sound(NoiseKey::parse(k_key))};
}

RatholeClientHead client_head() {
    return {sound(Endpoint::parse("losos.cfd:2333")), token('b'), sound(NoiseKey::parse(k_key))};
}

RatholeService service(std::string_view id, int number) {
    return {row_id(id), token('s'), port(number)};
}

RatholeClientService client_service(std::string_view id, int number) {
    return {row_id(id), token('s'), port(number)};
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a Noise key is the base64 of 32 bytes, trimmed") {
    CHECK(sound(NoiseKey::parse(" " + k_key + "\n")).text() == k_key);
    const std::string bad =
        GENERATE(std::string(), std::string("AAAA"), k_key.substr(1), k_key + "A", "A" + k_key,
                 std::string(43, 'A'), std::string(44, 'A'), std::string(43, '*') + "=",
                 "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n=", std::string(100000, 'A'));
    const auto parsed = NoiseKey::parse(bad);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what == "a Noise key is the base64 of 32 bytes");
}

TEST_CASE("a Noise key that gives every tunnel the same secret is none") {
    const std::string weak = GENERATE(std::string(32, '\0'), '\1' + std::string(31, '\0'));
    CHECK_FALSE(NoiseKey::parse(base64_encode(weak)).has_value());
}

TEST_CASE("the server's services give the same bytes in any order") {
    const auto a = service("a", 1);
    const auto b = service("acme.b", 2);
    CHECK(render_rathole_server(server_head(), {a, b}) ==
          render_rathole_server(server_head(), {b, a}));
}

TEST_CASE("a service that stands twice is rendered once, the same one in any order") {
    const auto low = service("a", 1);
    const auto high = service("a", 2);
    const auto text = render_rathole_server(server_head(), {high, low});
    CHECK(text == render_rathole_server(server_head(), {low, high}));
    CHECK(text == render_rathole_server(server_head(), {low}));
}

TEST_CASE("the server's head does not change with its services") {
    const auto none = render_rathole_server(server_head(), {});
    const auto head = none.substr(0, none.find("[server.services]"));
    CHECK(render_rathole_server(server_head(), {service("a", 1)}).starts_with(head));
}

TEST_CASE("quotes and backslashes of a token are escaped") {
    auto odd = service("a", 1);
    odd.token = sound(Token::parse("q\"uote b\\ackslash \xc3\xbc" + std::string(32, 's')));
    CHECK(holds(render_rathole_server(server_head(), {odd}),
                "token = \"q\\\"uote b\\\\ackslash \xc3\xbc" + std::string(32, 's') + "\"\n"));
}

TEST_CASE("masked texts hold no secret") {
    const auto server = render_rathole_server(server_head(), {service("a", 1)}, Secrets::masked);
    const auto client =
        render_rathole_client(client_head(), {client_service("a", 1)}, Secrets::masked);
    CHECK(holds(server, "default_token = \"<secret>\""));
    CHECK(holds(server, "local_private_key = \"<secret>\""));
    CHECK(holds(server, "\ntoken = \"<secret>\""));
    CHECK_FALSE(holds(server, k_key));
    CHECK_FALSE(holds(server + client, std::string(40, 's')));
    CHECK_FALSE(holds(server + client, std::string(40, 'b')));
}

TEST_CASE("a public key is no secret") {
    CHECK(holds(render_rathole_client(client_head(), {}, Secrets::masked), k_key));
}

TEST_CASE("a client without bootstrap token or key has no line for them") {
    const auto text = render_rathole_client({sound(Endpoint::parse("[::1]:2333")), {}, {}}, {});
    CHECK(text == "[client]\nremote_addr = \"[::1]:2333\"\n\n[client.services]\n");
}
