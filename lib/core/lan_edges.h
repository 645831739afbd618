// The edges of a LAN out of everything DNS-SD found on it: an edge that is seen on two interfaces
// or in both families is one, with several ways to it.
#pragma once

#include "core/lan_service.h"
#include "core/path_env.h"

#include <set>
#include <string>
#include <vector>

namespace losos {

/// One way to an edge: what is dialled, and whose it is.
struct EdgeWay {
    PathSource source = PathSource::configured;
    /// The edge's host and port as it makes itself known, whatever is dialled.
    Endpoint edge;
    HttpUrl url;
    Endpoint rathole;
    friend bool operator==(const EdgeWay&, const EdgeWay&) = default;
};

/// An edge with at least one way, the best one first: by its name where that resolves, then by
/// IPv4, then by IPv6.
struct LanEdge {
    Endpoint edge;
    std::string name;
    std::vector<EdgeWay> ways;
    friend bool operator==(const LanEdge&, const LanEdge&) = default;
};

struct IgnoredAdvert {
    std::string instance;
    AdvertFault fault = AdvertFault::odd_url;
    friend bool operator==(const IgnoredAdvert&, const IgnoredAdvert&) = default;
};

struct LanView {
    /// In the order in which they were found.
    std::vector<LanEdge> edges;
    std::vector<IgnoredAdvert> ignored;
};

/// More ways to one edge are not looked at.
inline constexpr std::size_t k_ways_max = 8;

/// `resolving`: the hosts that a program which knows no mDNS can resolve. An edge that is known by
/// https and by a name that does not resolve has no way: no certificate is for an address.
LanView gather_lan_edges(const std::vector<LanService>& services, const ThisBox& box,
                         const std::set<std::string>& resolving);

} // namespace losos
