// What DNS-SD found on a box's LAN, and whether it is an edge. Every byte of an advert is a
// stranger's: there is one outcome for each, and lososd-pathd(8) lists them.
#pragma once

#include "core/names.h"
#include "core/network.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace losos {

/// What an interface is joined to. A bridge without a port to the outside holds only what runs on
/// the box itself.
enum class InterfaceKind { plain, loopback, bridge_to_outside, bridge_within };

struct LanInterface {
    std::string name;
    InterfaceKind kind = InterfaceKind::plain;
};

/// Whether other machines can be behind it: not for loopback, inner bridges, and the names that
/// container and virtual machine managers give theirs.
bool leads_to_lan(const LanInterface& interface);

/// One resolved service, on one interface and in one family.
struct LanService {
    LanInterface interface;
    std::string instance;
    /// What SRV names.
    std::string host;
    int port = 0;
    /// Numeric; a link-local one with or without its scope.
    std::string address;
    /// The TXT record's strings, raw, in the order of the record.
    std::vector<std::string> txt;
};

/// What an advert must not lead back to.
struct ThisBox {
    std::vector<IpAddress> addresses;
    std::vector<DnsName> names;
};

/// Why an advert is none of an edge.
enum class AdvertFault {
    /// Seen on an interface that no other machine is behind.
    not_from_lan,
    no_port,
    /// It leads back to the box that reads it.
    this_box,
    /// An address no edge can have: unspecified, multicast, 169.254.169.254.
    odd_address,
    /// Only a link-local IPv6 address, which nobody can dial without a scope.
    link_local_only,
    /// Another txtvers= than 1.
    other_version,
    odd_url,
    odd_rathole,
    /// rathole= does not name the URL's host.
    other_rathole_host,
    /// SRV names no host, and there is no url=.
    no_name,
    /// Its name does not resolve, and nobody can dial its address instead.
    no_way,
};

/// One sentence for a message.
std::string_view describe(AdvertFault fault);

/// An advert that is an edge's.
struct LanAdvertRead {
    /// For people: escapes undone, nothing unprintable.
    std::string name;
    /// What tells this edge from others and names its pin: the advertised URL's host and port,
    /// without url= the SRV name and port.
    Endpoint edge;
    HttpUrl url;
    Endpoint rathole;
    /// Where the edge is reached when its name does not resolve; nullopt when nobody could dial it.
    std::optional<IpAddress> address;
    bool enrolment_open = false;
};

/// Whether an edge may be at an address that its name stands for.
bool may_be_edge_at(const IpAddress& address, const ThisBox& box);

/// Of a key that stands twice the first counts; keys are compared without regard to case.
std::variant<LanAdvertRead, AdvertFault> read_lan_service(const LanService& service,
                                                          const ThisBox& box);

} // namespace losos
