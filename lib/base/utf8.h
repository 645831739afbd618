// UTF-8 as far as we need it: where a character ends, where a text stops being UTF-8, and how a
// text that somebody else chose stands in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace losos {

/// One character of a text.
struct Utf8Character {
    /// How many bytes it takes; 0 when no well-formed character starts there.
    std::size_t length = 0;
    char32_t code_point = 0;
};

/// The character that starts at `position`, which lies inside the text. Overlong forms,
/// surrogates and what lies beyond U+10FFFF are not well-formed.
Utf8Character utf8_at(std::string_view text, std::size_t position);

/// Whether it moves the cursor or the line instead of showing something: C0, DEL, C1.
bool is_control_character(char32_t code_point);

/// The text in quotes: printable(), and no more than its first 64 bytes.
std::string in_quotes(std::string_view text);

} // namespace losos
