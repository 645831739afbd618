// The lines of a file of flags, looked at before they are read: what is read leaves out a line that
// it does not understand. Private to options.cc.
#pragma once

#include "base/result.h"

#include <string_view>

namespace losos {

/// Fails (Errc::usage) at the first line that is not blank, a comment, `flag = value`, the
/// beginning of a table, or part of a list that goes on over several lines.
Result<void> check_flag_lines(std::string_view text);

} // namespace losos
