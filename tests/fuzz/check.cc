#include "check.h"

#include "base/json_reader.h"
#include "base/utf8.h"

#include <cstdio>
#include <cstdlib>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_longest_sentence = 1024;
constexpr std::size_t k_shortest_secret = 32;

bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f);
}

} // namespace

void broken(const char* property, const char* file, int line) {
    std::fprintf(stderr, "broken: %s (%s:%d)\n", property, file, line);
    std::abort();
}

void check_sentence(std::string_view text) {
    FUZZ_CHECK(!text.empty());
    FUZZ_CHECK(text.size() <= k_longest_sentence);
    for (std::size_t at = 0; at < text.size();) {
        const auto character = utf8_at(text, at);
        FUZZ_CHECK(character.length > 0);
        FUZZ_CHECK(!is_control(character.code_point));
        at += character.length;
    }
}

void check_error(const Error& error, std::string_view body) {
    check_sentence(error.what);
    const auto json = Json::parse(body);
    if (!json) {
        return;
    }
    if (const auto token = json->required_text("token"); token) {
        FUZZ_CHECK(token->size() < k_shortest_secret ||
                   error.what.find(*token) == std::string::npos);
    }
}

} // namespace losos::fuzz
