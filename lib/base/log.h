// Messages on standard error, one line each, with sd-daemon priority prefixes where standard error
// is a journal stream. Bytes that are not printable are escaped: what another machine sent cannot
// forge a line. Only tools log; the library returns errors.
#pragma once

#include "base/format.h"

#include <string_view>
#include <utility>

namespace losos {

/// syslog's levels, as far as they are used.
enum class LogLevel { error = 3, warning = 4, notice = 5, info = 6 };

/// The name that stands before each message when it does not go to a journal.
void set_log_name(std::string_view tool);

/// Writes one message.
void log_line(LogLevel level, std::string_view message);

/// Formats and writes one message.
template <class... Args>
void log(LogLevel level, FormatString<Args...> text, Args&&... args) {
    log_line(level, format(text, std::forward<Args>(args)...));
}

/// `text` with every byte of what could break a line or a terminal, or shows nothing at all,
/// written as \xNN.
std::string printable(std::string_view text);

} // namespace losos
