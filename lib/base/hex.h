// Lower-case hexadecimal.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace losos {

/// Two lower-case digits a byte.
std::string hex_encode(std::string_view bytes);

/// The bytes of an even number of lower-case hex digits; fails on anything else.
Result<std::string> hex_decode(std::string_view text);

} // namespace losos
