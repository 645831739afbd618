#include "core/address_families.h"

#include "base/format.h"

namespace losos {

namespace {

constexpr std::string_view k_any_v4 = "0.0.0.0";
constexpr std::string_view k_any_v6 = "::";

DarkFamily dark_v6(std::string_view flag, const SocketAddress& listening, bool is_all) {
    if (is_all) {
        return {true, format("{} {} takes IPv4 alone, and this machine has only IPv6 addresses: "
                             "nobody on the network reaches it; give \"::\" instead",
                             flag, listening.text())};
    }
    return {false, format("{} {} takes IPv4 alone: who has only IPv6 does not reach it; \"::\" "
                          "takes both",
                          flag, listening.text())};
}

DarkFamily dark_v4(std::string_view flag, const SocketAddress& listening, bool is_all) {
    constexpr std::string_view k_way_out =
        "set net.ipv6.bindv6only to 0 and restart rathole, or give an IPv4 address";
    if (is_all) {
        return {true,
                format("{} {} takes IPv6 alone, for net.ipv6.bindv6only is 1, and this "
                       "machine has only IPv4 addresses: nobody on the network reaches it; {}",
                       flag, listening.text(), k_way_out)};
    }
    return {true, format("{} {} takes IPv6 alone, for net.ipv6.bindv6only is 1: who has only IPv4 "
                         "does not reach it; {}",
                         flag, listening.text(), k_way_out)};
}

} // namespace

std::optional<DarkFamily> find_dark_family(std::string_view flag, const SocketAddress& listening,
                                           V6Socket socket, const HostFamilies& host) {
    const auto& address = listening.address.text();
    if (address == k_any_v4 && host.v6) {
        return dark_v6(flag, listening, !host.v4);
    }
    const bool is_v6_alone = socket == V6Socket::as_the_kernel_says && host.v6_only_by_default;
    if (address == k_any_v6 && is_v6_alone && host.v4) {
        return dark_v4(flag, listening, !host.v6);
    }
    return std::nullopt;
}

} // namespace losos
