// A listening TCP socket on a numeric address.
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <cstdint>
#include <string>

namespace losos {

/// Binds and listens, without blocking on accept. `::` takes IPv4 as well. Fails with the
/// sentence an operator needs.
Result<UniqueFd> listen_on(const std::string& address, std::uint16_t port);

/// Whether somebody listens on 127.0.0.1 at that port. Nobody is connected to for it.
bool is_listened_on(std::uint16_t port);

/// The port a listening socket has.
std::uint16_t bound_port(const UniqueFd& socket);

} // namespace losos
