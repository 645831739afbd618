#include "base/hex.h"

#include "base/format.h"

namespace losos {
namespace {

constexpr std::string_view k_digits = "0123456789abcdef";

} // namespace

std::string hex_encode(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += k_digits[byte >> 4U];
        text += k_digits[byte & 15U];
    }
    return text;
}

Result<std::string> hex_decode(std::string_view text) {
    if (text.size() % 2 != 0) {
        return fail(Errc::failed, "hexadecimal text has an odd number of digits");
    }
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const auto high = k_digits.find(text[i]);
        const auto low = k_digits.find(text[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) {
            return fail(Errc::failed, "hexadecimal text holds something other than 0-9 and a-f");
        }
        bytes += static_cast<char>(high << 4U | low);
    }
    return bytes;
}

} // namespace losos
