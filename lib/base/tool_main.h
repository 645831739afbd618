// The wrapper around every main: an outcome becomes one line on standard error and an exit code;
// an exception a library threw becomes the same.
#pragma once

#include "base/result.h"

#include <functional>
#include <string_view>

namespace losos {

/// Runs a tool and returns its exit code: 0, or the code of the error it ended with.
int tool_main(std::string_view tool, const std::function<Result<void>()>& run);

} // namespace losos
