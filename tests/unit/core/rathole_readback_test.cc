#include "core/rathole_config.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

const std::string k_key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

RatholeClientHead head(bool with_token, bool with_key) {
    RatholeClientHead result{sound(Endpoint::parse("losos.cfd:2333")), {}, {}};
    if (with_token) {
        result.bootstrap_token = sound(Token::parse("a \"quoted\\\" one " + std::string(32, 'b')));
    }
    if (with_key) {
        result.remote_public_key = sound(NoiseKey::parse(k_key));
    }
    return result;
}

std::string sample() {
    return render_rathole_client(head(true, true), {{row_id("acme.a"), token('s'), port(1)},
                                                    {row_id("acme.b"), token('s'), port(2)}});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("the services of a rendered client are read back") {
    const auto with_token = GENERATE(false, true);
    const auto with_key = GENERATE(false, true);
    const auto text = render_rathole_client(
        head(with_token, with_key),
        {{row_id("acme.b"), token('"'), port(2)}, {row_id("acme.a"), token('\\'), port(65535)}});
    CHECK(sound(parse_rathole_client_services(text)) ==
          std::vector<RowId>{row_id("acme.a"), row_id("acme.b")});
    CHECK(
        sound(parse_rathole_client_services(render_rathole_client(head(with_token, with_key), {})))
            .empty());
}

TEST_CASE("no cut of a client's text is read back as another") {
    const auto text = sample();
    const auto whole = sound(parse_rathole_client_services(text));
    const auto first = text.find("\n\n[client.services.\"acme.b\"]") + 1;
    for (std::size_t length = 0; length < text.size(); ++length) {
        // Without its last service the text is a sound one with a service less.
        INFO(length);
        CHECK(parse_rathole_client_services(text.substr(0, length)).has_value() ==
              (length == first));
    }
    CHECK(whole.size() == 2);
}

TEST_CASE("a text that differs in a line is not read back") {
    struct Case {
        std::string from;
        std::string to;
    };
    const auto edit = GENERATE(
        Case{"[client]", "[server]"}, Case{"[client]", "# note\n[client]"},
        Case{"losos.cfd:2333", "losos.cfd"}, Case{"losos.cfd:2333", "losos.cfd:2333\" x = \""},
        Case{"default_token", "heartbeat_timeout"}, Case{"type = \"noise\"", "type = \"tcp\""},
        Case{k_key, "AAAA"}, Case{"127.0.0.1:1", "127.0.0.1:0"}, Case{"127.0.0.1:1", "10.0.0.1:1"},
        Case{"127.0.0.1:1", "example.com:1"}, Case{"\"acme.a\"", "\"acme.a.b\""},
        Case{"\"acme.a\"", "acme"}, Case{"\"acme.a\"", "\"acme.b\""},
        Case{"\"acme.a\"", "\"acme.c\""}, Case{std::string(40, 's'), "short"},
        Case{"token = \"s", "token = \"\\u0041s"}, Case{"token = \"s", "token = 's"},
        Case{"\n\n[client.services.\"acme.a\"]", "\n[client.services.\"acme.a\"]"},
        Case{"[client.transport]", "[client.transport] "}, Case{"\n", "\r\n"});
    INFO(edit.from << " -> " << edit.to);
    CHECK_FALSE(parse_rathole_client_services(replaced(sample(), edit.from, edit.to)).has_value());
}

TEST_CASE("more after the last service is not read back") {
    CHECK_FALSE(parse_rathole_client_services(sample() + "\n").has_value());
    CHECK_FALSE(parse_rathole_client_services(sample() + "x = 1\n").has_value());
    CHECK_FALSE(
        parse_rathole_client_services(render_rathole_client(head(true, true), {}) + "x = 1\n")
            .has_value());
}

TEST_CASE("a client's head is told from another hub's, another secret's and another key's") {
    const RatholeClientHead head{make::sound(Endpoint::parse("hub.losos.cfd:2333")),
                                 make::token('b'), std::nullopt};
    const auto text = render_rathole_client(
        head, {{make::row_id("acme.mattbox"), make::token('t'), make::port(20000)}});
    CHECK(has_client_head(text, head));
    auto other = head;
    other.remote = make::sound(Endpoint::parse("hub.losos.cfd:2334"));
    CHECK_FALSE(has_client_head(text, other));
    other = head;
    other.bootstrap_token = make::token('c');
    CHECK_FALSE(has_client_head(text, other));
    other = head;
    other.remote_public_key = make::sound(NoiseKey::parse(base64_encode(std::string(32, 'k'))));
    CHECK_FALSE(has_client_head(text, other));
    CHECK_FALSE(has_client_head(render_rathole_client(other, {}), head));
}

TEST_CASE("where a rendered server listens is read back") {
    for (const auto* text : {"0.0.0.0:2333", "[::]:4444"}) {
        const auto bind = sound(SocketAddress::parse(text));
        CHECK(parse_rathole_server_bind(render_rathole_server({bind, {}, {}}, {})) == bind);
    }
    for (const auto* text : {"", "[server]\n", "[server]\nbind_addr = \"x\"\n",
                             "[client]\nbind_addr = \"0.0.0.0:1\"\n"}) {
        CHECK_FALSE(parse_rathole_server_bind(text));
    }
}
