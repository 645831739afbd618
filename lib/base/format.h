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

/// The formatted text; the format string is checked when it is compiled.
template <class... Args>
std::string format(FormatString<Args...> text, Args&&... args) {
    return fmt::format(text, std::forward<Args>(args)...);
}

/// An Error of that kind whose sentence is the formatted text.
template <class... Args>
Error fail(Errc code, FormatString<Args...> text, Args&&... args) {
    return Error{code, fmt::format(text, std::forward<Args>(args)...)};
}

} // namespace losos
