// The Date header of an HTTP answer, as RFC 9110 has every server write it.
#pragma once

#include "base/duration.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// `Sun, 06 Nov 1994 08:49:37 GMT`; nullopt for anything else, the two obsolete forms included.
std::optional<UnixTime> parse_http_date(std::string_view text);

/// A moment as people read it: `1994-11-06 08:49:37 UTC`.
std::string render_utc(UnixTime time);

} // namespace losos
