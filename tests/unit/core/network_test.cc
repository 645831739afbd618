#include "core/network.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

IpAddress ip(std::string_view text) {
    return sound(IpAddress::parse(text));
}

struct Case {
    std::string text;
    std::string canonical;
};

} // namespace

TEST_CASE("an address is kept in its canonical text") {
    CHECK(ip("127.0.0.1").text() == "127.0.0.1");
    CHECK(ip("FD00:0:0::1").text() == "fd00::1");
    CHECK(ip("::ffff:10.0.0.1").text() == "::ffff:10.0.0.1");
    CHECK(ip("::").is_v6());
    CHECK_FALSE(ip("0.0.0.0").is_v6());
}

TEST_CASE("what is no plain numeric address is refused") {
    const std::string bad =
        GENERATE(std::string(), std::string("localhost"), std::string("1.2.3"),
                 std::string("1.2.3.4.5"), std::string("1.2.3.256"), std::string("010.0.0.1"),
                 std::string("0x7f.0.0.1"), std::string("2130706433"), std::string("[::1]"),
                 std::string("fe80::1%eth0"), std::string("1.2.3.4 "), std::string(":::"),
                 std::string("1.2.3.4\0x", 9), std::string(100000, '1'));
    CHECK_FALSE(IpAddress::parse(bad).has_value());
}

TEST_CASE("loopback is 127/8 and ::1, also mapped") {
    CHECK(ip("127.0.0.1").is_loopback());
    CHECK(ip("127.255.0.1").is_loopback());
    CHECK(ip("::1").is_loopback());
    CHECK(ip("::ffff:127.0.0.1").is_loopback());
    CHECK_FALSE(ip("128.0.0.1").is_loopback());
    CHECK_FALSE(ip("::2").is_loopback());
    CHECK_FALSE(ip("0.0.0.0").is_loopback());
}

TEST_CASE("nobody on the internet is behind a private address") {
    const auto* address = GENERATE("127.0.0.1", "10.0.0.0", "10.255.255.255", "172.16.0.1",
                                   "172.31.255.255", "192.168.1.1", "169.254.1.1", "::1", "fe80::1",
                                   "febf::1", "fc00::1", "fd12::1", "::ffff:192.168.0.1");
    CHECK(ip(address).is_private());
}

TEST_CASE("anybody may be behind a public address") {
    const auto* address =
        GENERATE("8.8.8.8", "11.0.0.1", "9.255.255.255", "172.15.255.255", "172.32.0.1",
                 "192.167.1.1", "192.169.1.1", "169.253.1.1", "2001:db8::1", "fec0::1", "fe7f::1",
                 "fe00::1", "::ffff:8.8.8.8");
    CHECK_FALSE(ip(address).is_private());
}

TEST_CASE("a socket address is an address and a port") {
    CHECK(sound(SocketAddress::parse("127.0.0.1:8443")).text() == "127.0.0.1:8443");
    const auto v6 = sound(SocketAddress::parse("[::1]:8443"));
    CHECK(v6.address == ip("::1"));
    CHECK(v6.port == port(8443));
    CHECK(v6.text() == "[::1]:8443");
}

TEST_CASE("what is no socket address is refused") {
    const auto* bad = GENERATE("", ":", "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:0", "::1:80",
                               "[::1]", "[::1:80", "[127.0.0.1]:80", "localhost:80",
                               "127.0.0.1:80 ", "127.0.0.1:80:80", "[::1]x:80", "[]:80");
    CHECK_FALSE(SocketAddress::parse(bad).has_value());
}

TEST_CASE("an endpoint is a name or an address, and a port") {
    const auto sample =
        GENERATE(Case{"losos.cfd:2333", "losos.cfd:2333"}, Case{"LOSOS.cfd:2333", "losos.cfd:2333"},
                 Case{"edge.local:1", "edge.local:1"}, Case{"192.0.2.1:2333", "192.0.2.1:2333"},
                 Case{"[2001:DB8::1]:2333", "[2001:db8::1]:2333"}, Case{"a:65535", "a:65535"},
                 Case{"4ever.1a:80", "4ever.1a:80"}, Case{"1.2.3.0xg:80", "1.2.3.0xg:80"});
    CHECK(sound(Endpoint::parse(sample.text)).text() == sample.canonical);
}

TEST_CASE("an endpoint's host stands without brackets") {
    CHECK(sound(Endpoint::parse("[::1]:80")).host() == "::1");
    CHECK(Endpoint::of("::1", port(80)).text() == "[::1]:80");
    CHECK(Endpoint::of("a.b", port(80)) == sound(Endpoint::parse("A.b:80")));
}

TEST_CASE("an oddly spelled address is no endpoint's name") {
    const auto* bad = GENERATE("1.2.3:80", "2130706433:80", "0177.0.0.1:80", "1.2.3.256:80",
                               "10.1:80", "a.1:80", "0x7f000001:80", "1.0x:80", "1.0XfF:80");
    CHECK_FALSE(Endpoint::parse(bad).has_value());
}

TEST_CASE("what is no endpoint is refused") {
    const std::string bad = GENERATE(
        std::string(), std::string("host"), std::string("host:"), std::string(":80"),
        std::string("host:0"), std::string("host:65536"), std::string("ho st:80"),
        std::string("user@host:80"), std::string("host:80/"), std::string("http://host:80"),
        std::string("::1:80"), std::string("[::1]80"), std::string("[fe80::1%lo]:80"),
        std::string("host.:80"), std::string("host\n:80"), std::string(100000, 'a'));
    CHECK_FALSE(Endpoint::parse(bad).has_value());
}

TEST_CASE("a URL is kept in its canonical text") {
    const auto sample = GENERATE(Case{"http://losos.cfd", "http://losos.cfd"},
                                 Case{"http://losos.cfd/", "http://losos.cfd"},
                                 Case{"HTTPS://Losos.CFD:443/", "https://losos.cfd"},
                                 Case{"http://losos.cfd:80", "http://losos.cfd"},
                                 Case{"http://losos.cfd:443", "http://losos.cfd:443"},
                                 Case{"https://losos.cfd:80", "https://losos.cfd:80"},
                                 Case{"http://192.0.2.1:8443", "http://192.0.2.1:8443"},
                                 Case{"http://[FD00::1]", "http://[fd00::1]"},
                                 Case{"http://[fd00::1]:8443/", "http://[fd00::1]:8443"});
    CHECK(sound(HttpUrl::parse(sample.text)).text() == sample.canonical);
}

TEST_CASE("a URL knows where it leads") {
    const auto https = sound(HttpUrl::parse("https://losos.cfd"));
    CHECK(https.is_https());
    CHECK(https.endpoint().text() == "losos.cfd:443");
    const auto http = sound(HttpUrl::parse("http://[::1]/"));
    CHECK_FALSE(http.is_https());
    CHECK(http.endpoint().host() == "::1");
    CHECK(http.endpoint().port() == port(80));
    CHECK(sound(HttpUrl::parse("http://A:80/")) == sound(HttpUrl::parse("http://a")));
}

TEST_CASE("what is no plain URL is refused") {
    const std::string bad =
        GENERATE(std::string(), std::string("losos.cfd"), std::string("ftp://losos.cfd"),
                 std::string("http:losos.cfd"), std::string("http://"), std::string("http:///"),
                 std::string("http://losos.cfd//"), std::string("http://losos.cfd/api"),
                 std::string("http://losos.cfd?x"), std::string("http://losos.cfd/#x"),
                 std::string("http://user@losos.cfd"), std::string("http://user:pw@losos.cfd"),
                 std::string("http://losos.cfd:0"), std::string("http://losos.cfd:"),
                 std::string("http://losos.cfd:65536"), std::string("http://lo sos.cfd"),
                 std::string(" http://losos.cfd"), std::string("http://losos.cfd "),
                 std::string("http://losos.cfd\n"), std::string("http://1.2.3"),
                 std::string("http://::1"), std::string("http://[::1"),
                 std::string("http://[1.2.3.4]"), "http://" + std::string(100000, 'a'));
    const auto parsed = HttpUrl::parse(bad);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what.find("pw") == std::string::npos);
}
