#include "core/token.h"

#include "base/format.h"
#include "base/utf8.h"
#include "core/ascii.h"

namespace losos {
namespace {

constexpr std::size_t k_token_min = 32;
constexpr std::size_t k_token_max_bytes = 1024;

} // namespace

Result<Token> Token::parse(std::string_view text) {
    const auto trimmed = trim_ascii(text);
    if (trimmed.empty()) {
        return Error{Errc::failed, "a token must not be empty"};
    }
    if (trimmed.size() > k_token_max_bytes) {
        return fail(Errc::failed, "a token must be at most {} bytes", k_token_max_bytes);
    }
    std::size_t characters = 0;
    for (std::size_t at = 0; at < trimmed.size(); ++characters) {
        const auto character = utf8_at(trimmed, at);
        if (character.length == 0) {
            return Error{Errc::failed, "a token must be valid UTF-8"};
        }
        if (is_control_character(character.code_point)) {
            return Error{Errc::failed, "a token must not hold a control character"};
        }
        at += character.length;
    }
    if (characters < k_token_min) {
        return fail(Errc::failed, "a token must be at least {} characters", k_token_min);
    }
    return Token(trimmed);
}

bool Token::same_as(const Token& other) const {
    return equal_in_constant_time(digest(), other.digest());
}

} // namespace losos
