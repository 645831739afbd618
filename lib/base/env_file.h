// KEY=VALUE lines, unquoted, as systemd's EnvironmentFile= and our own tools read them.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace losos {

/// The pairs of the text in its order. Blank lines and lines that start with # are passed over;
/// fails on a line without =, an odd key, a control character, and a key that stands twice.
Result<std::vector<std::pair<std::string, std::string>>> parse_env(std::string_view text);

/// Whether a value can stand in such a file without quotes: printable ASCII without blanks,
/// quotes, backslash, $, # or ;.
bool needs_no_quoting(std::string_view value);

} // namespace losos
