#include "core/lan_edges.h"

#include "base/env_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace losos {
namespace {

/// A name before IPv4 before IPv6.
int rank(const EdgeWay& way) {
    const auto address = IpAddress::parse(way.url.endpoint().host());
    if (!address) {
        return 0;
    }
    return address->is_v6() ? 2 : 1;
}

std::optional<EdgeWay> numeric_way(const LanAdvertRead& advert) {
    if (!advert.address || advert.url.is_https()) {
        return std::nullopt;
    }
    const auto& host = advert.address->text();
    const auto url =
        HttpUrl::parse("http://" + Endpoint::of(host, advert.url.endpoint().port()).text());
    if (!url) {
        return std::nullopt;
    }
    return EdgeWay{PathSource::lan, advert.edge, *url, Endpoint::of(host, advert.rathole.port())};
}

std::vector<EdgeWay> ways_of(const LanAdvertRead& advert, const std::set<std::string>& resolving) {
    const auto& host = advert.url.endpoint().host();
    const EdgeWay as_advertised{PathSource::lan, advert.edge, advert.url, advert.rathole};
    if (IpAddress::parse(host)) {
        return {as_advertised};
    }
    std::vector<EdgeWay> ways;
    if (resolving.count(host) != 0) {
        ways.push_back(as_advertised);
    }
    if (auto way = numeric_way(advert)) {
        ways.push_back(*std::move(way));
    }
    return ways;
}

void add_way(LanEdge& edge, const EdgeWay& way) {
    const bool is_known = std::find(edge.ways.begin(), edge.ways.end(), way) != edge.ways.end();
    if (!is_known && needs_no_quoting(way.url.text()) && needs_no_quoting(way.rathole.text())) {
        edge.ways.push_back(way);
    }
}

} // namespace

LanView gather_lan_edges(const std::vector<LanService>& services, const ThisBox& box,
                         const std::set<std::string>& resolving) {
    LanView view;
    std::map<std::string, std::size_t> places;
    for (const LanService& service : services) {
        auto read = read_lan_service(service, box);
        if (const auto* fault = std::get_if<AdvertFault>(&read)) {
            view.ignored.push_back({service.instance, *fault});
            continue;
        }
        const auto& advert = *std::get_if<LanAdvertRead>(&read);
        const auto [place, is_new] = places.try_emplace(advert.edge.text(), view.edges.size());
        if (is_new) {
            view.edges.push_back({advert.edge, advert.name, {}});
        }
        for (const EdgeWay& way : ways_of(advert, resolving)) {
            add_way(view.edges[place->second], way);
        }
    }
    for (LanEdge& edge : view.edges) {
        std::stable_sort(edge.ways.begin(), edge.ways.end(),
                         [](const auto& a, const auto& b) { return rank(a) < rank(b); });
        if (edge.ways.size() > k_ways_max) {
            edge.ways.erase(edge.ways.begin() + k_ways_max, edge.ways.end());
        }
    }
    const auto without_way = std::stable_partition(
        view.edges.begin(), view.edges.end(), [](const auto& edge) { return !edge.ways.empty(); });
    for (auto edge = without_way; edge != view.edges.end(); ++edge) {
        view.ignored.push_back({edge->name, AdvertFault::no_way});
    }
    view.edges.erase(without_way, view.edges.end());
    return view;
}

} // namespace losos
