#include "base/utf8.h"

#include "support/catch.h"

#include <string>

using namespace losos;

TEST_CASE("base/utf8: the shortest and the longest character of each length are read") {
    struct Case {
        std::string text;
        std::size_t length;
        char32_t code_point;
    };
    const Case cases[] = {
        {std::string(1, '\0'), 1, 0x00},
        {"\x7f", 1, 0x7F},
        {"\xc2\x80", 2, 0x80},
        {"\xdf\xbf", 2, 0x7FF},
        {"\xe0\xa0\x80", 3, 0x800},
        {"\xed\x9f\xbf", 3, 0xD7FF},
        {"\xee\x80\x80", 3, 0xE000},
        {"\xef\xbf\xbf", 3, 0xFFFF},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf4\x8f\xbf\xbf", 4, 0x10FFFF},
    };
    for (const Case& one : cases) {
        const std::string around = "x" + one.text + "y";
        const Utf8Character character = utf8_at(around, 1);
        CHECK(character.length == one.length);
        CHECK(character.code_point == one.code_point);
    }
}

TEST_CASE("base/utf8: what is not well-formed is no character") {
    for (const std::string text : {"\x80",
                                   "\xbf",
                                   "\xc0\x80",
                                   "\xc1\xbf",
                                   "\xe0\x80\x80",
                                   "\xe0\x9f\xbf",
                                   "\xed\xa0\x80",
                                   "\xed\xbf\xbf",
                                   "\xf0\x80\x80\x80",
                                   "\xf0\x8f\xbf\xbf",
                                   "\xf4\x90\x80\x80",
                                   "\xf8\x88\x80\x80\x80",
                                   "\xff",
                                   "\xfe",
                                   "\xc3",
                                   "\xe2\x82",
                                   "\xf0\x9f\x98",
                                   "\xc3(",
                                   "\xe2(\xa1",
                                   "\xe2\x82("}) {
        CHECK(utf8_at(text, 0).length == 0);
    }
}

TEST_CASE("base/utf8: a text that somebody else chose stands in quotes, on one line and cut") {
    CHECK(in_quotes("") == "\"\"");
    CHECK(in_quotes("acme") == "\"acme\"");
    CHECK(in_quotes("other.l\x7f"
                    "cal\n") == "\"other.l\\x7fcal\\x0a\"");
    CHECK(in_quotes("\xc3") == "\"\\xc3\"");
    CHECK(in_quotes(std::string(64, 'a')) == "\"" + std::string(64, 'a') + "\"");
    CHECK(in_quotes(std::string(65, 'a')) == "\"" + std::string(64, 'a') + "...\"");
}

TEST_CASE("base/utf8: control characters are those of ASCII, DEL and C1") {
    for (const char32_t control : {U'\0', U'\t', U'\n', U'\x1f', U'\x7f', U'\x80', U'\x9f'}) {
        CHECK(is_control_character(control));
    }
    for (const char32_t visible : {U' ', U'~', U'\xa0', U'\xe4', U'\x1F600'}) {
        CHECK_FALSE(is_control_character(visible));
    }
}
