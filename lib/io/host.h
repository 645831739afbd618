// What the kernel says about this host.
#pragma once

#include <optional>
#include <string>

namespace losos {

/// The first label of the host's name, in lower case.
std::string host_label();

/// The ports outgoing connections take, as `<first>-<last>`; nullopt when it cannot be read.
std::optional<std::string> ephemeral_port_range();

/// How many descriptors a process may at most be allowed here (the hard limit of this one).
long long descriptor_limit();

/// Which addresses the interfaces that are up have, loopback and link-local ones aside, and what
/// net.ipv6.bindv6only says.
struct HostNetwork {
    bool has_v4 = false;
    bool has_v6 = false;
    bool bind_v6_only = false;
};
HostNetwork read_host_network();

} // namespace losos
