// ASCII case and white space, untouched by any locale.
#pragma once

#include <string>
#include <string_view>

namespace losos {

/// The text with A-Z in lower case; every other byte stays.
std::string fold_ascii_case(std::string_view text);

/// The text without blanks, tabs and line ends at either end.
std::string_view trim_ascii(std::string_view text);

} // namespace losos
