// What fuzz targets ask of every parser, beside not crashing.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace losos::fuzz {

/// Says which property broke, and ends the process: the engine keeps the input.
[[noreturn]] void broken(const char* property, const char* file, int line);

/// Fails unless the text is one line of UTF-8 without control characters, short enough to read.
void check_sentence(std::string_view text);

/// Fails when the error's text is no such line, or holds the token of the JSON body it is about.
void check_error(const Error& error, std::string_view body);

} // namespace losos::fuzz

#define FUZZ_CHECK(property)                                                                       \
    do {                                                                                           \
        if (!(property)) {                                                                         \
            ::losos::fuzz::broken(#property, __FILE__, __LINE__);                                  \
        }                                                                                          \
    } while (false)

namespace losos::fuzz {

/// Parses the input, and checks that a second parse gives the same, that an error is a sentence
/// without secrets, and that what was accepted is rendered to a text that gives the same again: the
/// same text, and the same value where values can be compared.
/// Returns what was parsed.
template <class Parse, class Render>
auto check_codec(std::string_view input, Parse parse, Render render) {
    auto first = parse(input);
    const auto second = parse(input);
    FUZZ_CHECK(first.has_value() == second.has_value());
    if (!first) {
        FUZZ_CHECK(first.error() == second.error());
        check_error(first.error(), input);
        return first;
    }
    const std::string text = render(*first);
    FUZZ_CHECK(text == render(*second));
    const auto again = parse(std::string_view(text));
    FUZZ_CHECK(again.has_value());
    FUZZ_CHECK(render(*again) == text);
    if constexpr (requires { *again == *first; }) {
        FUZZ_CHECK(*again == *first);
    }
    return first;
}

/// The same for a type with a parse() of one text and a text(), which must be its own parse.
template <class T>
Result<T> check_text(std::string_view input) {
    return check_codec(
        input, [](std::string_view text) { return T::parse(text); },
        [](const T& value) { return std::string(value.text()); });
}

} // namespace losos::fuzz
