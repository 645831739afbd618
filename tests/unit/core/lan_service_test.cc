#include "core/lan_service.h"

#include "support/catch.h"
#include "unit/files/make.h"

#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

const ThisBox k_box{{sound(IpAddress::parse("192.168.1.20")), sound(IpAddress::parse("fd00::20"))},
                    {name("mattbox.local")}};

LanService service(std::vector<std::string> txt) {
    return {{"eth0", InterfaceKind::plain},
            "LosOS edge on gw",
            "gw.local",
            8443,
            "192.168.1.2",
            std::move(txt)};
}

LanService gateway() {
    return service(
        {"url=http://gw.local:8443", "rathole=gw.local:2333", "enrol=open", "txtvers=1"});
}

LanAdvertRead taken(const LanService& service) {
    const auto read = read_lan_service(service, k_box);
    if (const auto* fault = std::get_if<AdvertFault>(&read)) {
        FAIL(describe(*fault));
    }
    return *std::get_if<LanAdvertRead>(&read);
}

AdvertFault ignored(const LanService& service) {
    const auto read = read_lan_service(service, k_box);
    REQUIRE(std::holds_alternative<AdvertFault>(read));
    const auto fault = *std::get_if<AdvertFault>(&read);
    CHECK_FALSE(describe(fault).empty());
    return fault;
}

} // namespace

TEST_CASE("core/lan_service: an advert as a gateway makes it") {
    const auto read = taken(gateway());
    CHECK(read.name == "LosOS edge on gw");
    CHECK(read.edge == endpoint("gw.local:8443"));
    CHECK(read.url == url("http://gw.local:8443"));
    CHECK(read.rathole == endpoint("gw.local:2333"));
    CHECK(read.address->text() == "192.168.1.2");
    CHECK(read.enrolment_open);
}

TEST_CASE("core/lan_service: without url= the address is dialled and the SRV name tells it apart") {
    auto bare = service({});
    bare.host = "GW.local.";
    const auto read = taken(bare);
    CHECK(read.edge == endpoint("gw.local:8443"));
    CHECK(read.url == url("http://192.168.1.2:8443"));
    CHECK(read.rathole == endpoint("192.168.1.2:2333"));
    CHECK_FALSE(read.enrolment_open);

    bare.txt = {"rathole=gw.local:2444"};
    CHECK(taken(bare).rathole == endpoint("192.168.1.2:2444"));
    bare.txt = {"rathole=192.168.1.2:2444"};
    CHECK(taken(bare).rathole == endpoint("192.168.1.2:2444"));
    bare.txt = {"rathole=192.168.1.3:2444"};
    CHECK(ignored(bare) == AdvertFault::other_rathole_host);
    bare.txt = {};
    bare.host = "no_dns_name.local";
    CHECK(ignored(bare) == AdvertFault::no_name);
}

TEST_CASE("core/lan_service: without rathole= it is the URL's host at 2333") {
    CHECK(taken(service({"url=http://gw.local"})).rathole == endpoint("gw.local:2333"));
    CHECK(taken(service({"url=https://gw.example.org"})).rathole ==
          endpoint("gw.example.org:2333"));
}

TEST_CASE("core/lan_service: a URL that is no plain http(s)://host:port is none") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "gw.local:8443",
        "ftp://gw.local",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://user@gw.local:8443",
        "http://user:secret@gw.local:8443",
        "http://gw.local:8443/path",
        "http://gw.local:8443//",
        "http://gw.local:8443?q",
        "http://gw.local:8443#f",
        "http://gw.local:0",
        "http://gw.local:65536",
        "http://gw.local:8443 ",
        "http://gw.local:8443;reboot",
        "http://\"gw.local\":8443",
        "http://'gw.local':8443",
        "http://gw.local:8443\nLOSOS_EDGE_PATH_URL=http://evil.local",
        "http://$(id).local",
        "http://gw\\.local",
        "http://[fe80::1%25eth0]:8443",
        "http://[fe80::1%eth0]:8443",
        "http://0x7f000001",
        "http://10.1",
    }));
    CAPTURE(text);
    CHECK(ignored(service({"url=" + text})) == AdvertFault::odd_url);
}

TEST_CASE("core/lan_service: a rathole= that is no plain host:port is none") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "gw.local",
        "gw.local:0",
        "gw.local:99999",
        "tcp://gw.local:2333",
        "gw.local:2333/",
        "user@gw.local:2333",
        "gw.local:2333\n",
        "gw.local:2333\";x=\"",
        "fd00::1:2333",
    }));
    CAPTURE(text);
    CHECK(ignored(service({"url=http://gw.local:8443", "rathole=" + text})) ==
          AdvertFault::odd_rathole);
}

TEST_CASE("core/lan_service: rathole= must name the URL's host") {
    CHECK(ignored(service({"url=http://gw.local:8443", "rathole=evil.local:2333"})) ==
          AdvertFault::other_rathole_host);
    CHECK(ignored(service({"url=http://gw.local:8443", "rathole=192.168.1.2:2333"})) ==
          AdvertFault::other_rathole_host);
    CHECK(taken(service({"url=http://GW.local:8443", "rathole=gw.LOCAL:2333"})).rathole ==
          endpoint("gw.local:2333"));
}

TEST_CASE("core/lan_service: of a key that stands twice the first counts") {
    CHECK(taken(service({"url=http://gw.local:8443", "URL=http://evil.local:8443"})).url ==
          url("http://gw.local:8443"));
    CHECK(taken(service({"url=http://gw.local:8443", "rathole=gw.local:2333",
                         "rathole=evil.local:2333"}))
              .rathole == endpoint("gw.local:2333"));
    CHECK(ignored(service({"url=http://gw.local:8443", "rathole=evil.local:2333",
                           "rathole=gw.local:2333"})) == AdvertFault::other_rathole_host);
}

TEST_CASE("core/lan_service: keys in any case, without a value, without a name, and unknown ones") {
    CHECK(taken(service({"URL=http://gw.local:8443", "", "=x", "colour=red", "flag"})).url ==
          url("http://gw.local:8443"));
    CHECK(ignored(service({"url"})) == AdvertFault::odd_url);
    CHECK(ignored(service({"rathole"})) == AdvertFault::odd_rathole);
}

TEST_CASE("core/lan_service: 255 arbitrary bytes are one more unknown string, or no URL") {
    std::string bytes;
    for (int byte = 1; byte <= 255; ++byte) {
        bytes += static_cast<char>(byte);
    }
    auto odd = gateway();
    odd.txt.insert(odd.txt.begin(), bytes);
    CHECK(taken(odd).url == url("http://gw.local:8443"));
    CHECK(ignored(service({"url=" + bytes.substr(0, 251)})) == AdvertFault::odd_url);
    CHECK(ignored(service({"url=http://" + std::string(244, 'a')})) == AdvertFault::odd_url);
}

TEST_CASE("core/lan_service: another txtvers than 1 is not understood") {
    CHECK(ignored(service({"txtvers=2", "url=http://gw.local:8443"})) ==
          AdvertFault::other_version);
    CHECK(ignored(service({"txtvers"})) == AdvertFault::other_version);
    CHECK(taken(service({"url=http://gw.local:8443"})).edge == endpoint("gw.local:8443"));
}

TEST_CASE("core/lan_service: a port that is none") {
    for (const int port : {0, -1, 65536}) {
        auto odd = gateway();
        odd.port = port;
        CHECK(ignored(odd) == AdvertFault::no_port);
    }
}

TEST_CASE("core/lan_service: what leads back to the box is ignored") {
    const std::string address = GENERATE(values<std::string>(
        {"192.168.1.20", "fd00::20", "127.0.0.1", "127.8.8.8", "::1", "::ffff:192.168.1.20"}));
    CAPTURE(address);
    auto odd = gateway();
    odd.address = address;
    CHECK(ignored(odd) == AdvertFault::this_box);
    const bool is_v6 = address.find(':') != std::string::npos;
    CHECK(ignored(service({"url=http://" + (is_v6 ? "[" + address + "]" : address) + ":8443"})) ==
          AdvertFault::this_box);
}

TEST_CASE("core/lan_service: so is what bears the box's own name") {
    for (const char* host : {"mattbox.local", "MattBox.local", "localhost", "gw.localhost"}) {
        CAPTURE(host);
        CHECK(ignored(service({std::string("url=http://") + host + ":8443"})) ==
              AdvertFault::this_box);
    }
}

TEST_CASE("core/lan_service: an address no edge can have") {
    const std::string address =
        GENERATE(values<std::string>({"169.254.169.254", "::ffff:169.254.169.254", "0.0.0.0",
                                      "::", "224.0.0.251", "255.255.255.255", "ff02::fb"}));
    CAPTURE(address);
    auto odd = gateway();
    odd.address = address;
    CHECK(ignored(odd) == AdvertFault::odd_address);
    const bool is_v6 = address.find(':') != std::string::npos;
    CHECK(ignored(service({"url=http://" + (is_v6 ? "[" + address + "]" : address)})) ==
          AdvertFault::odd_address);
}

TEST_CASE("core/lan_service: a text that is no address, and one that DHCP's absence made") {
    auto odd = gateway();
    odd.address = "gw.local";
    CHECK(ignored(odd) == AdvertFault::odd_address);
    odd.address = "169.254.7.7";
    CHECK(taken(odd).address->text() == "169.254.7.7");
}

TEST_CASE("core/lan_service: a link-local IPv6 address is never dialled, with a scope or without") {
    for (const char* address : {"fe80::1", "fe80::1%eth0", "fe80::1%2", "febf::1"}) {
        CAPTURE(address);
        auto found = gateway();
        found.address = address;
        CHECK_FALSE(taken(found).address);
        found.txt = {};
        CHECK(ignored(found) == AdvertFault::link_local_only);
    }
    CHECK(ignored(service({"url=http://[fe80::1]:8443"})) == AdvertFault::link_local_only);
}

TEST_CASE("core/lan_service: what is behind docker0 and other inner bridges is not the LAN") {
    for (const char* bridge : {"docker0", "docker_gwbridge", "br-0123456789ab", "virbr0", "lxcbr0",
                               "lxdbr0", "podman1", "cni0", "flannel.1", "lo"}) {
        CAPTURE(bridge);
        auto found = gateway();
        found.interface = {bridge, InterfaceKind::plain};
        CHECK(ignored(found) == AdvertFault::not_from_lan);
    }
    CHECK_FALSE(leads_to_lan({"br0", InterfaceKind::bridge_within}));
    CHECK_FALSE(leads_to_lan({"eth9", InterfaceKind::loopback}));
    CHECK(leads_to_lan({"br0", InterfaceKind::bridge_to_outside}));
    CHECK(leads_to_lan({"br-lan", InterfaceKind::bridge_to_outside}));
    CHECK(leads_to_lan({"host0", InterfaceKind::plain}));
    CHECK(leads_to_lan({"wlp3s0", InterfaceKind::plain}));
}

TEST_CASE("core/lan_service: a name is shown with its escapes undone and nothing unprintable") {
    const auto shown = [](std::string instance) {
        auto found = gateway();
        found.instance = std::move(instance);
        return taken(found).name;
    };
    CHECK(shown("LosOS\\032edge #2") == "LosOS edge #2");
    CHECK(shown("gw.one\\.two") == "gw.one.two");
    CHECK(shown("back\\\\slash") == "back\\slash");
    CHECK(shown("line\nfeed\\010\x7F") == "line?feed??");
    CHECK(shown("odd\\999\\12\\") == "odd?12\\");
    CHECK(shown("Küche") == "Küche");
    CHECK(shown(std::string(1000, 'x')).size() == 255);
}

TEST_CASE("core/lan_service: a name that stands for this box or for no machine is no edge's") {
    const ThisBox box{{*IpAddress::parse("192.168.1.50")}, {}};
    CHECK(may_be_edge_at(*IpAddress::parse("192.168.1.2"), box));
    CHECK(may_be_edge_at(*IpAddress::parse("203.0.113.9"), box));
    for (const auto* const odd : {"192.168.1.50", "::ffff:192.168.1.50", "127.0.0.1", "::1",
                                  "0.0.0.0", "169.254.169.254", "224.0.0.251"}) {
        CAPTURE(odd);
        CHECK_FALSE(may_be_edge_at(*IpAddress::parse(odd), box));
    }
}
