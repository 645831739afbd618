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

} // namespace losos
