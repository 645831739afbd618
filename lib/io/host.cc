#include "io/host.h"

#include "base/file.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
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

} // namespace losos
