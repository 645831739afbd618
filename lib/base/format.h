// The one place that touches fmt: text from values, and errors from text.
#pragma once

#include "base/result.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace losos {

/// A format string checked against the types it is given.
template <class... Args>
using FormatString = fmt::format_string<Args...>;

/// The type of `format`.
struct Format {
    template <class... Args>
    std::string operator()(FormatString<Args...> text, Args&&... args) const {
        return fmt::format(text, std::forward<Args>(args)...);
    }
};

/// The formatted text; the format string is checked when it is compiled. An object, not a function:
/// a call with a std::string would also find a newer library's std::format, and be ambiguous.
inline constexpr Format format{}; // NOLINT(readability-identifier-naming)

/// An Error of that kind whose sentence is the formatted text.
template <class... Args>
Error fail(Errc code, FormatString<Args...> text, Args&&... args) {
    return Error{code, fmt::format(text, std::forward<Args>(args)...)};
}

} // namespace losos
