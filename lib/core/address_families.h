// Which of IPv4 and IPv6 a listening address leaves in the dark. Pure; the host says what it has.
#pragma once

#include "core/network.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// What a host's network has, and the kernel's habit.
struct HostFamilies {
    /// Whether an interface has such an address; loopback and link-local ones do not count.
    bool v4 = false;
    bool v6 = false;
    /// net.ipv6.bindv6only: a socket on :: takes no IPv4 unless its program asks for it.
    bool v6_only_by_default = false;
};

/// Whether a program's socket on :: takes IPv4 as well.
enum class V6Socket { takes_v4, as_the_kernel_says };

/// A family that this host has and that does not get through.
struct DarkFamily {
    /// Nobody gets through, or a :: does not take what it looks as if it took. Not so for 0.0.0.0
    /// on a host that has both: that may well be meant.
    bool is_fault = false;
    /// One sentence: what is dark, and what to do.
    std::string what;
};

/// What is dark behind `listening`, which `flag` gave; nullopt when nothing is, and for an address
/// that is not a wildcard: whoever names one address means it.
std::optional<DarkFamily> find_dark_family(std::string_view flag, const SocketAddress& listening,
                                           V6Socket socket, const HostFamilies& host);

} // namespace losos
