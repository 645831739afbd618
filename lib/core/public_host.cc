#include "core/public_host.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace losos {

bool may_be_public(const Endpoint& endpoint) {
    static constexpr std::array<std::string_view, 5> k_own_network = {
        ".localhost", ".local", ".lan", ".internal", ".home.arpa"};
    const std::string_view host = endpoint.host();
    if (const auto address = IpAddress::parse(host)) {
        return !address->is_private();
    }
    if (host.find('.') == std::string_view::npos) {
        return false;
    }
    return std::none_of(k_own_network.begin(), k_own_network.end(),
                        [host](std::string_view suffix) { return host.ends_with(suffix); });
}

} // namespace losos
