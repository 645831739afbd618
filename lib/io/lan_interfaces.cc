#include "io/lan_interfaces.h"

#include "base/file.h"
#include "io/host.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace losos {
namespace {

namespace fs = std::filesystem;

/// A bond of a VLAN of a bridge: nobody stacks interfaces deeper than a few.
constexpr int k_depth_max = 8;

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// The entries of a directory; none when it cannot be read.
std::vector<std::string> entries(const fs::path& directory) {
    std::vector<std::string> names;
    std::error_code fault;
    for (fs::directory_iterator each(directory, fault), end; !fault && each != end;
         each.increment(fault)) {
        names.push_back(each->path().filename().string());
    }
    return names;
}

/// Whether there is hardware at the bottom of an interface: a bond or a VLAN names what is below it
/// by `lower_` links.
bool has_hardware(const fs::path& root, const std::string& interface, int depth) {
    if (is_there(root / interface / "device")) {
        return true;
    }
    constexpr std::string_view lower = "lower_";
    const auto names = depth > 0 ? entries(root / interface) : std::vector<std::string>();
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.starts_with(lower) && has_hardware(root, name.substr(lower.size()), depth - 1);
    });
}

bool is_loopback(const fs::path& directory) {
    const auto type = read_existing_file((directory / "type").string(), 16);
    return type && *type == std::to_string(ARPHRD_LOOPBACK) + "\n";
}

std::string numeric(const sockaddr& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof v4);
        inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    } else if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof v6);
        inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    }
    return text.data();
}

} // namespace

LinkKind read_link_kind(const std::string& interface, const std::string& root) {
    if (interface.empty() || interface.find('/') != std::string::npos || interface[0] == '.') {
        return LinkKind::plain;
    }
    const fs::path all(root);
    if (is_loopback(all / interface)) {
        return LinkKind::loopback;
    }
    if (!is_there(all / interface / "bridge")) {
        return LinkKind::plain;
    }
    const auto ports = entries(all / interface / "brif");
    const bool leads_out = std::any_of(ports.begin(), ports.end(), [&](const std::string& port) {
        return has_hardware(all, port, k_depth_max);
    });
    return leads_out ? LinkKind::bridge_to_outside : LinkKind::bridge_within;
}

std::vector<std::string> own_addresses() {
    std::vector<std::string> addresses;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) {
        return addresses;
    }
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
        const auto text = each->ifa_addr != nullptr ? numeric(*each->ifa_addr) : std::string();
        const bool is_known =
            std::find(addresses.begin(), addresses.end(), text) != addresses.end();
        if (!text.empty() && !is_known) {
            addresses.push_back(text);
        }
    }
    freeifaddrs(list);
    return addresses;
}

std::vector<std::string> own_names() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') {
        return {};
    }
    std::string whole(name.data());
    std::transform(whole.begin(), whole.end(), whole.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto label = host_label();
    std::vector<std::string> names{whole};
    if (label != whole) {
        names.push_back(label);
    }
    if (const auto local = label + ".local"; local != whole) {
        names.push_back(local);
    }
    return names;
}

} // namespace losos
