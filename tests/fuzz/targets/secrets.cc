// Tokens, bearer tokens, relay passes and hexadecimal texts.
#include "check.h"
#include "target.h"

#include "base/hex.h"
#include "base/utf8.h"
#include "core/bearer_token.h"
#include "core/relay_pass.h"
#include "core/token.h"

#include <algorithm>
#include <array>
#include <string>

namespace losos::fuzz {
namespace {

/// Whether it is a part of what is said of faulty tokens, whatever stands in them.
bool is_said_of_others(std::string_view text) {
    constexpr std::size_t k_too_long = 2000;
    constexpr std::size_t k_long_enough = 40;
    const std::array<std::string, 4> others{"short", std::string(k_too_long, 'x'),
                                            std::string(k_long_enough, '\x01'),
                                            std::string(k_long_enough, '\xff')};
    return std::any_of(others.begin(), others.end(), [text](const std::string& other) {
        const auto token = Token::parse(other);
        return !token && token.error().what.find(text) != std::string::npos;
    });
}

void check_token(std::string_view input) {
    const auto token =
        check_codec(input, Token::parse, [](const Token& each) { return each.reveal(); });
    if (!token) {
        FUZZ_CHECK(input.size() < 32 || token.error().what.find(input) == std::string::npos ||
                   is_said_of_others(input));
        return;
    }
    const std::string& text = token->reveal();
    std::size_t characters = 0;
    for (std::size_t at = 0; at < text.size(); ++characters) {
        const auto character = utf8_at(text, at);
        FUZZ_CHECK(character.length > 0 && character.code_point >= ' ');
        at += character.length;
    }
    FUZZ_CHECK(characters >= 32 && text.size() <= 1024);
    FUZZ_CHECK(token->same_as(*Token::parse(text)));
}

void check_bearer(std::string_view input) {
    const auto token = check_codec(input, BearerToken::parse,
                                   [](const BearerToken& each) { return each.reveal(); });
    if (token) {
        const std::string& text = token->reveal();
        FUZZ_CHECK(text.size() >= 32 && text.size() <= 8192);
        FUZZ_CHECK(std::all_of(text.begin(), text.end(),
                               [](char c) { return c > ' ' && c <= '~' && c != '"' && c != ':'; }));
    }
}

void check_pass(std::string_view input) {
    if (const auto pass = check_text<RelayPass>(input)) {
        const std::string& text = pass->text();
        FUZZ_CHECK(text == input && text.size() <= 96 && text.starts_with("v1."));
        FUZZ_CHECK(text[text.size() - 65] == '.' && hex_decode(text.substr(text.size() - 64)));
    }
}

void run(std::string_view input) {
    check_token(input);
    check_bearer(input);
    check_pass(input);
    if (const auto bytes = hex_decode(input)) {
        FUZZ_CHECK(hex_encode(*bytes) == input);
    }
}

const Known k_known({"secrets", "tokens and passes", k_line, "", run});

} // namespace
} // namespace losos::fuzz
