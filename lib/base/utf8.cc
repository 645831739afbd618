#include "base/utf8.h"

#include "base/format.h"
#include "base/log.h"

#include <array>

namespace losos {
namespace {

constexpr unsigned char k_tail_mask = 0xC0;
constexpr unsigned char k_tail = 0x80;

struct Form {
    unsigned char mask;
    unsigned char lead;
    char32_t lowest;
};

// By number of bytes, less two; `lowest` shuts out overlong forms.
constexpr std::array<Form, 3> k_forms = {
    {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}}};

} // namespace

Utf8Character utf8_at(std::string_view text, std::size_t position) {
    const auto lead = static_cast<unsigned char>(text[position]);
    if (lead < 0x80) {
        return {1, lead};
    }
    for (std::size_t i = 0; i < k_forms.size(); ++i) {
        const Form& form = k_forms[i];
        if ((lead & form.mask) != form.lead) {
            continue;
        }
        const std::size_t length = i + 2;
        if (text.size() - position < length) {
            return {};
        }
        char32_t code_point = lead & static_cast<unsigned char>(~form.mask);
        for (std::size_t k = 1; k < length; ++k) {
            const auto tail = static_cast<unsigned char>(text[position + k]);
            if ((tail & k_tail_mask) != k_tail) {
                return {};
            }
            code_point = code_point << 6U | (tail & 0x3FU);
        }
        const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
        if (code_point < form.lowest || surrogate || code_point > 0x10FFFF) {
            return {};
        }
        return {length, code_point};
    }
    return {};
}

bool is_control_character(char32_t code_point) {
    constexpr char32_t k_del = 0x7F;
    constexpr char32_t k_last_c1 = 0x9F;
    return code_point < ' ' || (code_point >= k_del && code_point <= k_last_c1);
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t k_most = 64;
    return format("\"{}{}\"", printable(text.substr(0, k_most)), text.size() > k_most ? "..." : "");
}

} // namespace losos
