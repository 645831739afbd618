// The kernel's table of TCP connections, of which the registrar wants one thing only.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <set>

namespace losos {

/// The ports of 127.0.0.1 that somebody has an open connection to. One that either side has closed
/// does not count.
Result<std::set<std::uint16_t>> connected_loopback_ports();

} // namespace losos
