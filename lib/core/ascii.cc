#include "core/ascii.h"

#include <algorithm>

namespace losos {

std::string fold_ascii_case(std::string_view text) {
    std::string folded(text);
    std::transform(folded.begin(), folded.end(), folded.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return folded;
}

std::string_view trim_ascii(std::string_view text) {
    constexpr std::string_view k_blanks = " \t\n\v\f\r";
    const auto first = text.find_first_not_of(k_blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

} // namespace losos
