#include "core/token.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>
#include <utility>

using namespace losos;
using namespace losos::make;

namespace {

std::string fault_of(const std::string& text) {
    const auto parsed = Token::parse(text);
    return parsed ? "none" : parsed.error().what;
}

std::string times(int count, const std::string& text) {
    std::string result;
    for (int i = 0; i < count; ++i) {
        result += text;
    }
    return result;
}

} // namespace

TEST_CASE("a token is trimmed") {
    const std::string secret(32, 's');
    CHECK(sound(Token::parse(" \t" + secret + "\r\n\n")).reveal() == secret);
}

TEST_CASE("a token keeps blanks, quotes and backslashes inside") {
    const std::string secret = "a b\"c\\d'e" + std::string(32, 's');
    CHECK(sound(Token::parse(secret)).reveal() == secret);
}

TEST_CASE("a token has at least 32 characters, however many bytes they take") {
    CHECK(fault_of(std::string(32, 's')) == "none");
    CHECK(fault_of(std::string(31, 's')) == "a token must be at least 32 characters");
    CHECK(fault_of("  " + std::string(31, 's') + "  ") == "a token must be at least 32 characters");
    CHECK(fault_of(times(32, "\xc3\xbc")) == "none");
    CHECK(fault_of(times(31, "\xc3\xbc")) == "a token must be at least 32 characters");
    CHECK(fault_of(times(32, "\xf0\x9f\x90\x9f")) == "none");
    CHECK(fault_of(times(8, "\xf0\x9f\x90\x9f")) == "a token must be at least 32 characters");
}

TEST_CASE("a token has at most 1024 bytes") {
    CHECK(fault_of(std::string(1024, 's')) == "none");
    CHECK(fault_of(std::string(1025, 's')) == "a token must be at most 1024 bytes");
}

TEST_CASE("a blank token is empty") {
    CHECK(fault_of("") == "a token must not be empty");
    CHECK(fault_of(" \n\t ") == "a token must not be empty");
}

TEST_CASE("a token holds no control character") {
    const std::string control =
        GENERATE(std::string("\0", 1), std::string("\x01"), std::string("\t"), std::string("\n"),
                 std::string("\r"), std::string("\x1b"), std::string("\x1f"), std::string("\x7f"),
                 std::string("\xc2\x80"), std::string("\xc2\x85"), std::string("\xc2\x9f"));
    const std::string half(20, 's');
    CHECK(fault_of(half + control + half) == "a token must not hold a control character");
}

TEST_CASE("what follows the C1 controls is allowed") {
    const std::string half(20, 's');
    CHECK(fault_of(half + "\xc2\xa0" + half) == "none");
}

TEST_CASE("a token is valid UTF-8") {
    const auto* bad = GENERATE("\xff", "\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf",
                               "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x90");
    const std::string half(20, 's');
    CHECK(fault_of(half + bad + half) == "a token must be valid UTF-8");
    CHECK(fault_of(half + half + bad) == "a token must be valid UTF-8");
}

TEST_CASE("tokens are compared by what they say") {
    CHECK(token('a').same_as(token('a')));
    CHECK_FALSE(token('a').same_as(token('b')));
    CHECK(token('a').digest() == token('a').digest());
    CHECK(token('a').digest() != token('b').digest());
    CHECK_FALSE(token('a').same_as(sound(Token::parse(std::string(41, 'a')))));
}

TEST_CASE("a token can be copied, moved and assigned") {
    auto first = token('a');
    const auto second = first;
    first = token('b');
    CHECK(second.same_as(token('a')));
    CHECK(first.same_as(token('b')));
    const auto third = std::move(first);
    CHECK(third.same_as(token('b')));
}
