// A TCP connection that is begun now and there later, without anybody waiting for it.
#pragma once

#include "base/unique_fd.h"

#include <cstdint>
#include <string>

namespace losos {

/// A socket on its way to a numeric address, to be written to once it is connected; none when that
/// failed at once.
UniqueFd begin_connecting(const std::string& address, std::uint16_t port);

/// Whether a socket that has become writable is connected.
bool has_connected(const UniqueFd& socket);

} // namespace losos
