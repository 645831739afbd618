// What DNS-SD found on a LAN. Services are parted by the control character RS and their fields by
// US: interface, instance, host, port, address, and the strings of the TXT record.
#include "check.h"
#include "target.h"

#include "base/env_file.h"
#include "core/lan_edges.h"

#include <charconv>
#include <set>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_longest_name = 255;

std::string_view take(std::string_view& text, char end) {
    const auto part = text.substr(0, text.find(end));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

LanService read_service(std::string_view text) {
    LanService service;
    service.interface.name = take(text, '\x1F');
    service.instance = take(text, '\x1F');
    service.host = take(text, '\x1F');
    const auto port = take(text, '\x1F');
    std::from_chars(port.data(), port.data() + port.size(), service.port);
    service.address = take(text, '\x1F');
    while (!text.empty()) {
        service.txt.emplace_back(take(text, '\x1F'));
    }
    return service;
}

const ThisBox& this_box() {
    static const ThisBox box{{*IpAddress::parse("192.168.1.20"), *IpAddress::parse("fd00::20")},
                             {*DnsName::parse("mattbox.local")}};
    return box;
}

void check_host(const std::string& host) {
    if (const auto address = IpAddress::parse(host)) {
        FUZZ_CHECK(!address->is_loopback() && host != "192.168.1.20" && host != "fd00::20");
        FUZZ_CHECK(host != "169.254.169.254" && !host.starts_with("fe80:"));
    }
    FUZZ_CHECK(host != "mattbox.local" && host != "localhost");
}

void check_advert(const LanAdvertRead& advert) {
    FUZZ_CHECK(advert.name.size() <= k_longest_name);
    for (const char c : advert.name) {
        FUZZ_CHECK(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    }
    FUZZ_CHECK(*HttpUrl::parse(advert.url.text()) == advert.url);
    FUZZ_CHECK(*Endpoint::parse(advert.rathole.text()) == advert.rathole);
    FUZZ_CHECK(advert.rathole.host() == advert.url.endpoint().host());
    check_host(advert.url.endpoint().host());
    if (advert.address) {
        check_host(advert.address->text());
    }
}

void check_edge(const LanEdge& edge) {
    FUZZ_CHECK(!edge.ways.empty() && edge.ways.size() <= k_ways_max);
    for (const EdgeWay& way : edge.ways) {
        FUZZ_CHECK(way.source == PathSource::lan && way.edge == edge.edge);
        FUZZ_CHECK(needs_no_quoting(way.url.text()) && needs_no_quoting(way.rathole.text()));
        check_host(way.url.endpoint().host());
        check_host(way.rathole.host());
    }
}

void run(std::string_view input) {
    std::vector<LanService> services;
    std::set<std::string> resolving;
    while (!input.empty()) {
        services.push_back(read_service(take(input, '\x1E')));
        const auto read = read_lan_service(services.back(), this_box());
        if (const auto* fault = std::get_if<AdvertFault>(&read)) {
            check_sentence(describe(*fault));
            continue;
        }
        const auto& advert = *std::get_if<LanAdvertRead>(&read);
        check_advert(advert);
        // Every other one's name is known to those who know no mDNS.
        if (services.size() % 2 == 0) {
            resolving.insert(advert.url.endpoint().host());
        }
    }
    const auto view = gather_lan_edges(services, this_box(), resolving);
    FUZZ_CHECK(view.edges.size() + view.ignored.size() <= services.size());
    std::set<std::string> edges;
    for (const LanEdge& edge : view.edges) {
        FUZZ_CHECK(edges.insert(edge.edge.text()).second);
        check_edge(edge);
    }
}

const Known k_known({"lan-service", "adverts on a LAN", k_file, "", run});

} // namespace
} // namespace losos::fuzz
