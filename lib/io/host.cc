#include "io/host.h"

#include "base/file.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <limits>
#include <sstream>

namespace losos {

std::string host_label() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) {
        return {};
    }
    std::string label(name.data());
    label = label.substr(0, label.find('.'));
    std::transform(label.begin(), label.end(), label.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return label;
}

std::optional<std::string> ephemeral_port_range() {
    const auto text = read_existing_file("/proc/sys/net/ipv4/ip_local_port_range", 64);
    if (!text) {
        return std::nullopt;
    }
    std::istringstream words(*text);
    std::string first;
    std::string last;
    if (!(words >> first >> last)) {
        return std::nullopt;
    }
    return first + "-" + last;
}

long long descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) {
        return std::numeric_limits<long long>::max();
    }
    return static_cast<long long>(limit.rlim_max);
}

namespace {

bool is_link_local(const sockaddr_in& address) {
    return (ntohl(address.sin_addr.s_addr) >> 16U) == 0xa9fe;
}

void note_address(const sockaddr& address, HostNetwork& network) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof v4);
        network.has_v4 = network.has_v4 || !is_link_local(v4);
    } else if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof v6);
        network.has_v6 = network.has_v6 || !IN6_IS_ADDR_LINKLOCAL(&v6.sin6_addr);
    }
}

} // namespace

HostNetwork read_host_network() {
    HostNetwork network;
    const auto strict = read_existing_file("/proc/sys/net/ipv6/bindv6only", 16);
    network.bind_v6_only = strict && strict->starts_with('1');
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) {
        return network;
    }
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
        const bool counts =
            (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_LOOPBACK) == 0;
        if (counts && each->ifa_addr != nullptr) {
            note_address(*each->ifa_addr, network);
        }
    }
    freeifaddrs(list);
    return network;
}

} // namespace losos
