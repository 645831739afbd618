#include "core/lan_edges.h"

#include "support/catch.h"
#include "unit/files/make.h"

#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

const ThisBox k_box{{sound(IpAddress::parse("192.168.1.20"))}, {}};

LanService seen(const std::string& interface, const std::string& address,
                const std::string& host = "gw.local") {
    return {{interface, InterfaceKind::plain},
            "edge on " + host,
            host,
            8443,
            address,
            {"url=http://" + host + ":8443", "rathole=" + host + ":2333"}};
}

std::vector<std::string> dialled(const LanEdge& edge) {
    std::vector<std::string> urls;
    for (const EdgeWay& way : edge.ways) {
        CHECK(way.source == PathSource::lan);
        CHECK(way.edge == edge.edge);
        CHECK(way.rathole.host() == way.url.endpoint().host());
        urls.push_back(way.url.text());
    }
    return urls;
}

using Urls = std::vector<std::string>;

} // namespace

TEST_CASE("core/lan_edges: one edge on two interfaces and in both families is one, IPv4 first") {
    const auto view = gather_lan_edges({seen("eth0", "fd00::2"), seen("eth0", "192.168.1.2"),
                                        seen("wlan0", "fe80::2%wlan0"),
                                        seen("wlan0", "192.168.7.2"), seen("wlan0", "192.168.1.2")},
                                       k_box, {});
    REQUIRE(view.edges.size() == 1);
    CHECK(view.edges[0].edge == endpoint("gw.local:8443"));
    CHECK(view.edges[0].name == "edge on gw.local");
    CHECK(dialled(view.edges[0]) ==
          Urls{"http://192.168.1.2:8443", "http://192.168.7.2:8443", "http://[fd00::2]:8443"});
    CHECK(view.ignored.empty());
}

TEST_CASE("core/lan_edges: a name that resolves is dialled first, and its addresses stand behind") {
    const auto view = gather_lan_edges({seen("eth0", "192.168.1.2")}, k_box, {"gw.local"});
    REQUIRE(view.edges.size() == 1);
    CHECK(dialled(view.edges[0]) == Urls{"http://gw.local:8443", "http://192.168.1.2:8443"});
}

TEST_CASE(
    "core/lan_edges: an edge known by https and a name is dialled by that name or not at all") {
    auto service = seen("eth0", "192.168.1.2", "gw.example.org");
    service.txt = {"url=https://gw.example.org"};
    const auto view = gather_lan_edges({service}, k_box, {"gw.example.org"});
    REQUIRE(view.edges.size() == 1);
    CHECK(dialled(view.edges[0]) == Urls{"https://gw.example.org"});

    const auto none = gather_lan_edges({service}, k_box, {});
    CHECK(none.edges.empty());
    CHECK(none.ignored ==
          std::vector<IgnoredAdvert>{{"edge on gw.example.org", AdvertFault::no_way}});
}

TEST_CASE("core/lan_edges: a numeric URL is dialled as it stands") {
    auto service = seen("eth0", "192.168.1.2");
    service.txt = {"url=http://[fd00::9]:80"};
    const auto view = gather_lan_edges({service}, k_box, {});
    REQUIRE(view.edges.size() == 1);
    CHECK(view.edges[0].edge == endpoint("[fd00::9]:80"));
    CHECK(dialled(view.edges[0]) == Urls{"http://[fd00::9]"});
}

TEST_CASE("core/lan_edges: a link-local address alone is no way to a name that does not resolve") {
    const auto alone = gather_lan_edges({seen("eth0", "fe80::2")}, k_box, {});
    CHECK(alone.edges.empty());
    REQUIRE(alone.ignored.size() == 1);
    CHECK(alone.ignored[0].fault == AdvertFault::no_way);
    const auto named = gather_lan_edges({seen("eth0", "fe80::2")}, k_box, {"gw.local"});
    REQUIRE(named.edges.size() == 1);
    CHECK(dialled(named.edges[0]) == Urls{"http://gw.local:8443"});
}

TEST_CASE("core/lan_edges: two edges stay two, in the order in which they were found") {
    auto other_port = seen("eth0", "192.168.1.2");
    other_port.txt = {"url=http://gw.local:9000"};
    const auto view = gather_lan_edges(
        {seen("eth0", "192.168.1.3", "zoe.local"), seen("eth0", "192.168.1.2"), other_port}, k_box,
        {});
    REQUIRE(view.edges.size() == 3);
    CHECK(view.edges[0].edge == endpoint("zoe.local:8443"));
    CHECK(view.edges[1].edge == endpoint("gw.local:8443"));
    CHECK(view.edges[2].edge == endpoint("gw.local:9000"));
}

TEST_CASE("core/lan_edges: who bears another's name is another way to it, at its own address") {
    const auto view =
        gather_lan_edges({seen("eth0", "192.168.1.2"), seen("eth0", "192.168.1.66")}, k_box, {});
    REQUIRE(view.edges.size() == 1);
    CHECK(dialled(view.edges[0]) == Urls{"http://192.168.1.2:8443", "http://192.168.1.66:8443"});
}

TEST_CASE("core/lan_edges: no more ways to one edge than eight") {
    std::vector<LanService> services;
    for (int i = 1; i <= 60; ++i) {
        services.push_back(seen("eth0", "10.0.0." + std::to_string(i)));
    }
    const auto view = gather_lan_edges(services, k_box, {});
    REQUIRE(view.edges.size() == 1);
    CHECK(view.edges[0].ways.size() == k_ways_max);
    CHECK(view.edges[0].ways.front().url == url("http://10.0.0.1:8443"));
}

TEST_CASE("core/lan_edges: what is ignored is named with its fault") {
    auto loop = seen("eth0", "192.168.1.20");
    auto bridge = seen("docker0", "172.17.0.2");
    const auto view = gather_lan_edges({loop, seen("eth0", "192.168.1.2"), bridge}, k_box, {});
    CHECK(view.edges.size() == 1);
    CHECK(view.ignored ==
          std::vector<IgnoredAdvert>{{"edge on gw.local", AdvertFault::this_box},
                                     {"edge on gw.local", AdvertFault::not_from_lan}});
}
