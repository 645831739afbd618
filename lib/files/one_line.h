// Files that hold one line: the value is what stands before the line's end.
#pragma once

#include "files/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos::one_line {

/// The text without one line feed, or carriage return and line feed, at its end.
std::string_view without_line_end(std::string_view text);

/// The value `parse` makes of the line: loaded, absent (nullopt), or Errc::unusable.
template <class T, class Parse>
Result<std::optional<T>> load(const std::string& path, std::size_t limit, Parse parse,
                              document::Remedy remedy = document::Remedy::by_hand) {
    return document::load<T>(
        path, limit, [&](std::string_view text) { return parse(without_line_end(text)); }, remedy);
}

} // namespace losos::one_line
