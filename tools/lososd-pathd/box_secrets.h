// The two tokens a box proves itself with, made by it when it has none.
#pragma once

#include "base/result.h"

#include <string>

namespace losos {

/// Makes a fresh token where there is no file; one that is there stays, whatever it holds.
Result<void> make_token_if_missing(const std::string& path);

} // namespace losos
