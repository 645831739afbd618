#include "core/lan_service.h"

#include "core/ascii.h"

#include <algorithm>
#include <array>
#include <utility>

namespace losos {
namespace {

constexpr long long k_rathole_port = 2333;
constexpr std::size_t k_name_max = 255;
/// The length of `br-` and of the network id Docker puts behind it.
constexpr std::size_t k_docker_bridge_length = 15;
constexpr std::string_view k_metadata_address = "169.254.169.254";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string strip_dot(std::string_view host) {
    return std::string(host.ends_with('.') ? host.substr(0, host.size() - 1) : host);
}

/// An IPv4 address that hides in an IPv6 one is compared as what it is.
IpAddress unmapped(const IpAddress& address) {
    constexpr std::string_view mapped = "::ffff:";
    if (address.text().starts_with(mapped)) {
        if (auto inner = IpAddress::parse(address.text().substr(mapped.size()))) {
            return *std::move(inner);
        }
    }
    return address;
}

/// Canonical text: the first group of such an address always has four digits.
bool is_link_local_v6(const IpAddress& address) {
    const auto& text = address.text();
    return address.is_v6() && text.starts_with("fe") && text.size() > 4 && text[4] == ':' &&
           (text[2] == '8' || text[2] == '9' || text[2] == 'a' || text[2] == 'b');
}

bool is_multicast(const IpAddress& address) {
    const auto& text = address.text();
    if (address.is_v6()) {
        return text.starts_with("ff") && text.size() > 4 && text[4] == ':';
    }
    // Class D, what is reserved above it, and broadcast.
    const auto first = text.substr(0, text.find('.'));
    return first.size() == 3 && first >= "224";
}

bool is_unspecified(const IpAddress& address) {
    return address.text() == "::" || address.text().starts_with("0.");
}

std::optional<AdvertFault> fault_of(const IpAddress& given, const ThisBox& box) {
    const auto address = unmapped(given);
    if (address.text() == k_metadata_address || is_unspecified(address) || is_multicast(address)) {
        return AdvertFault::odd_address;
    }
    const auto is_it = [&address](const IpAddress& own) {
        return unmapped(own) == address;
    };
    if (address.is_loopback() || std::any_of(box.addresses.begin(), box.addresses.end(), is_it)) {
        return AdvertFault::this_box;
    }
    return std::nullopt;
}

bool is_own_name(std::string_view host, const ThisBox& box) {
    return host == "localhost" || host.ends_with(".localhost") ||
           std::any_of(box.names.begin(), box.names.end(),
                       [host](const DnsName& own) { return own.text() == host; });
}

/// What is wrong with a host that an advert wants dialled.
std::optional<AdvertFault> fault_of_host(const std::string& host, const ThisBox& box) {
    if (const auto address = IpAddress::parse(host)) {
        if (const auto fault = fault_of(*address, box)) {
            return fault;
        }
        return is_link_local_v6(*address) ? std::optional(AdvertFault::link_local_only)
                                          : std::nullopt;
    }
    return is_own_name(host, box) ? std::optional(AdvertFault::this_box) : std::nullopt;
}

/// The value of the first string with that key; a key without = has an empty value.
std::optional<std::string_view> value_of(const std::vector<std::string>& txt,
                                         std::string_view key) {
    for (const std::string& each : txt) {
        const std::string_view entry = each;
        const auto name = entry.substr(0, entry.find('='));
        if (fold_ascii_case(name) == key) {
            return entry.size() == name.size() ? std::string_view() : entry.substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

/// Some publishers leave the escapes of a zone file in the name: a backslash and three decimal
/// digits, or a backslash and the character.
std::string readable_name(std::string_view raw) {
    std::string name;
    for (std::size_t i = 0; i < raw.size() && name.size() < k_name_max; ++i) {
        char c = raw[i];
        if (c == '\\' && i + 3 < raw.size() && is_digit(raw[i + 1]) && is_digit(raw[i + 2]) &&
            is_digit(raw[i + 3])) {
            const int code =
                (raw[i + 1] - '0') * 100 + (raw[i + 2] - '0') * 10 + (raw[i + 3] - '0');
            c = code <= 255 ? static_cast<char>(code) : '?';
            i += 3;
        } else if (c == '\\' && i + 1 < raw.size()) {
            c = raw[++i];
        }
        const auto byte = static_cast<unsigned char>(c);
        name += byte < 0x20 || byte == 0x7F ? '?' : c;
    }
    return name;
}

/// Where the edge is told to be, before its tunnels are looked at.
struct Place {
    Endpoint edge;
    HttpUrl url;
};

std::variant<Place, AdvertFault> read_place(const LanService& service, Port port,
                                            const std::optional<IpAddress>& address,
                                            const ThisBox& box) {
    if (const auto text = value_of(service.txt, "url")) {
        const auto url = HttpUrl::parse(*text);
        if (!url) {
            return AdvertFault::odd_url;
        }
        if (const auto fault = fault_of_host(url->endpoint().host(), box)) {
            return *fault;
        }
        return Place{url->endpoint(), *url};
    }
    const auto name = DnsName::parse(strip_dot(service.host));
    if (!name) {
        return AdvertFault::no_name;
    }
    if (!address) {
        return AdvertFault::link_local_only;
    }
    const auto url = HttpUrl::parse("http://" + Endpoint::of(address->text(), port).text());
    if (!url) {
        return AdvertFault::odd_url;
    }
    return Place{Endpoint::of(name->text(), port), *url};
}

std::variant<Endpoint, AdvertFault> read_rathole(const LanService& service, const Place& place) {
    const auto& host = place.url.endpoint().host();
    const auto text = value_of(service.txt, "rathole");
    if (!text) {
        return Endpoint::of(host, *Port::from_number(k_rathole_port));
    }
    const auto rathole = Endpoint::parse(*text);
    if (!rathole) {
        return AdvertFault::odd_rathole;
    }
    // Without url= the SRV name is as good as the address it stands for.
    if (rathole->host() != host && rathole->host() != place.edge.host()) {
        return AdvertFault::other_rathole_host;
    }
    return Endpoint::of(host, rathole->port());
}

} // namespace

bool leads_to_lan(const LanInterface& interface) {
    const std::string_view name = interface.name;
    constexpr std::array<std::string_view, 9> inner{
        "docker", "virbr", "lxcbr", "lxdbr", "podman", "cni", "cali", "flannel", "vethernet"};
    const auto starts = [name](std::string_view prefix) {
        return name.starts_with(prefix);
    };
    const bool is_docker_bridge =
        name.starts_with("br-") && name.size() == k_docker_bridge_length &&
        name.find_first_not_of("0123456789abcdef", 3) == std::string_view::npos;
    if (name == "lo" || is_docker_bridge || std::any_of(inner.begin(), inner.end(), starts)) {
        return false;
    }
    switch (interface.kind) {
    case InterfaceKind::plain:
    case InterfaceKind::bridge_to_outside:
        return true;
    case InterfaceKind::loopback:
    case InterfaceKind::bridge_within:
        break;
    }
    return false;
}

std::string_view describe(AdvertFault fault) {
    switch (fault) {
    case AdvertFault::not_from_lan:
        return "it was seen on an interface that no other machine is behind";
    case AdvertFault::no_port:
        return "its port is none";
    case AdvertFault::this_box:
        return "it leads back to this box";
    case AdvertFault::odd_address:
        return "its address is none an edge can have";
    case AdvertFault::link_local_only:
        return "its only address is a link-local one, which needs a scope";
    case AdvertFault::other_version:
        return "its txtvers is not 1";
    case AdvertFault::odd_url:
        return "its url is no plain http(s)://host:port";
    case AdvertFault::odd_rathole:
        return "its rathole is no plain host:port";
    case AdvertFault::other_rathole_host:
        return "its rathole names another host than its url";
    case AdvertFault::no_name:
        return "it has no url, and its host is no DNS name";
    case AdvertFault::no_way:
        return "its name does not resolve, and its address cannot be dialled instead";
    }
    return {};
}

bool may_be_edge_at(const IpAddress& address, const ThisBox& box) {
    return !fault_of(address, box);
}

std::variant<LanAdvertRead, AdvertFault> read_lan_service(const LanService& service,
                                                          const ThisBox& box) {
    if (!leads_to_lan(service.interface)) {
        return AdvertFault::not_from_lan;
    }
    const auto port = Port::from_number(service.port);
    if (!port) {
        return AdvertFault::no_port;
    }
    const auto address = IpAddress::parse(service.address.substr(0, service.address.find('%')));
    if (!address) {
        return AdvertFault::odd_address;
    }
    if (const auto fault = fault_of(*address, box)) {
        return *fault;
    }
    if (value_of(service.txt, "txtvers").value_or("1") != "1") {
        return AdvertFault::other_version;
    }
    const auto dialable =
        is_link_local_v6(*address) ? std::nullopt : std::optional(unmapped(*address));
    auto place = read_place(service, *port, dialable, box);
    if (const auto* fault = std::get_if<AdvertFault>(&place)) {
        return *fault;
    }
    auto& [edge, url] = *std::get_if<Place>(&place);
    auto rathole = read_rathole(service, {edge, url});
    if (const auto* fault = std::get_if<AdvertFault>(&rathole)) {
        return *fault;
    }
    const bool is_open = value_of(service.txt, "enrol") == "open";
    return LanAdvertRead{readable_name(service.instance),  std::move(edge), std::move(url),
                         *std::get_if<Endpoint>(&rathole), dialable,        is_open};
}

} // namespace losos
