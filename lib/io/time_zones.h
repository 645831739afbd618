// Which time zones this host knows.
#pragma once

#include <string_view>

namespace losos {

/// Whether a text that has the shape of an IANA name is one, by this host's zone files; on a host
/// without any, every such text is.
bool is_known_zone(std::string_view name);

} // namespace losos
