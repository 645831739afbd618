// Which serial of a zone a name server has, asked with the C library's resolver; the only user of
// that. IPv4 only, for that resolver's public part knows no other server.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <cstdint>
#include <string>

namespace losos {

/// The serial of the SOA with which the server at this address answers for the zone, by authority
/// of its own. Fails with one sentence when it does not, or not in time; at least a second.
Result<std::uint32_t> ask_zone_serial(const std::string& server, const std::string& zone,
                                      Duration timeout);

} // namespace losos
