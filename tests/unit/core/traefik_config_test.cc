#include "core/traefik_config.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <algorithm>
#include <string>

using namespace losos;
using namespace losos::make;

namespace {

Router router(std::string_view id, std::string_view host, int number) {
    return {row_id(id), name(host), port(number), RouterTls{"le", std::nullopt}};
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++times;
    }
    return times;
}

} // namespace

TEST_CASE("no live tenant means no file") {
    CHECK(render_traefik({}) == std::nullopt);
}

TEST_CASE("the same routers give the same bytes in any order") {
    std::vector<Router> routers{router("a", "a.example", 1), router("acme.b", "b.example", 2),
                                router("c", "c.example", 3)};
    const auto text = render_traefik(routers);
    std::sort(routers.begin(), routers.end(),
              [](const Router& a, const Router& b) { return b.id < a.id; });
    CHECK(render_traefik(routers) == text);
}

TEST_CASE("a row that stands twice gives one router, the same one in any order") {
    const auto first = router("a", "a.example", 1);
    const auto second = router("a", "b.example", 2);
    const auto text = render_traefik({first, second});
    CHECK(text == render_traefik({second, first}));
    CHECK(count(*text, "losos_a:") == 2);
    CHECK(count(*text, "rule:") == 1);
}

TEST_CASE("without a resolver a router asks for no certificate") {
    auto plain = router("a", "a.example", 1);
    plain.tls = RouterTls{std::nullopt, name("acme.losos.cfd")};
    const auto text = *render_traefik({plain});
    CHECK(count(text, "tls: {}") == 1);
    CHECK(count(text, "certResolver") == 0);
    CHECK(count(text, "domains") == 0);
}

TEST_CASE("an odd resolver name cannot break out of its quotes") {
    auto odd = router("a", "a.example", 1);
    odd.tls.resolver = "l\"e\\\n\x7f\xff: {";
    const auto text = *render_traefik({odd});
    CHECK(count(text, R"(certResolver: "l\"e\\\x0a\x7f\xff: {")") == 1);
}

TEST_CASE("the ports a file names are read back, with their owners") {
    const std::vector<Router> routers{router("a", "a.example", 20000),
                                      router("acme.b", "b.example", 65535)};
    CHECK(parse_traefik_ports(render_traefik(routers).value()) ==
          std::map<Port, RowId>{{port(20000), row_id("a")}, {port(65535), row_id("acme.b")}});
}

TEST_CASE("a text that is no such file names no port") {
    const auto* text = GENERATE("", "http:\n", "          - url: \"http://127.0.0.1:",
                                "          - url: \"http://127.0.0.1:0\"\n",
                                "          - url: \"http://127.0.0.1:99999\"\n",
                                "          - url: \"http://192.0.2.1:80\"\n");
    CHECK(parse_traefik_ports(text).empty());
}

TEST_CASE("a further host is a router of its own to the one service of its row") {
    auto further = router("acme.box", "cloud.example.org", 7);
    further.kind = RouterKind::further;
    auto other = router("acme.box", "shop.example.org", 7);
    other.kind = RouterKind::further;
    const std::vector<Router> routers{router("acme.box", "box.acme.test", 7), further, other};
    const auto text = *render_traefik(routers);
    CHECK(count(text, "rule:") == 3);
    CHECK(count(text, "losos_acme.box_host_") == 2);
    CHECK(count(text, "service: losos_acme.box\n") == 3);
    CHECK(count(text, "loadBalancer:") == 1);
    CHECK(count(text, "- main: \"cloud.example.org\"") == 1);
    CHECK(render_traefik({other, further, routers[0]}) == text);
    CHECK(render_traefik({other, further, further, routers[0]}) == text);
    CHECK(parse_traefik_ports(text) == std::map<Port, RowId>{{port(7), row_id("acme.box")}});
}

TEST_CASE("a further host alone has its service, under a name that only the host decides") {
    auto further = router("acme.box", "cloud.example.org", 7);
    further.kind = RouterKind::further;
    const auto text = *render_traefik({further});
    CHECK(count(text, "losos_acme.box_host_15eab7c0c669d7cb961591c5b046fbbf:") == 1);
    CHECK(count(text, "loadBalancer:") == 1);
    further.port = port(8);
    CHECK(count(*render_traefik({further}),
                "losos_acme.box_host_15eab7c0c669d7cb961591c5b046fbbf:") == 1);
}
