// Whether the zone that an edge writes is served, and whether the edge may offer custom domains at
// all: rules of `losos-edge doctor`.
#pragma once

#include "base/duration.h"
#include "core/doctor.h"
#include "core/zone_text.h"

#include <optional>
#include <string>

namespace losos {

struct ZoneFacts {
    std::string name;
    std::string file;
    /// The serial that stands in the file; nullopt where there is none to be read.
    std::optional<ZoneSerial> written;
    /// The serial that a name server on this machine serves; else why there is none.
    std::optional<ZoneSerial> served;
    std::string fault;
};

/// Whether what is served is what was written last. A name server that signs a zone may be ahead of
/// the file.
Check check_served_zone(const ZoneFacts& facts);

/// How long before its end a certificate is to be renewed.
inline constexpr UnixTime k_certificate_notice = std::chrono::hours(30 * 24);

/// Whether the edge is official, as it must be to offer domains, and will be for a while.
/// `until`: the last second of its certificate, if it has one.
Check check_official(std::optional<UnixTime> until, UnixTime now);

} // namespace losos
