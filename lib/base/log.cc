#include "base/log.h"

#include "base/utf8.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace losos {
namespace {

std::string& log_name() {
    static std::string name;
    return name;
}

// systemd names the stream it made in $JOURNAL_STREAM; a redirected standard error is another one.
bool standard_error_is_journal() {
    const char* const stream = std::getenv("JOURNAL_STREAM");
    struct stat status {};
    return stream != nullptr && ::fstat(STDERR_FILENO, &status) == 0 &&
           format("{}:{}", status.st_dev, status.st_ino) == stream;
}

// Control characters, and those that turn the direction of what follows or start a line of their
// own: a terminal obeys them all.
bool is_unsafe(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

} // namespace

void set_log_name(std::string_view tool) {
    log_name() = tool;
}

void log_line(LogLevel level, std::string_view message) {
    std::string line;
    if (standard_error_is_journal()) {
        line = format("<{}>", static_cast<int>(level));
    } else if (!log_name().empty()) {
        line = log_name() + ": ";
    }
    line += printable(message);
    line += '\n';
    // One write, so that lines of several threads and processes never mix. Where standard error
    // takes nothing, there is no one left to tell.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Utf8Character character = utf8_at(text, i);
        const std::size_t length = character.length == 0 ? 1 : character.length;
        if (character.length != 0 && !is_unsafe(character.code_point)) {
            result += text.substr(i, length);
        } else {
            for (const char byte : text.substr(i, length)) {
                result += format("\\x{:02x}", static_cast<unsigned char>(byte));
            }
        }
        i += length;
    }
    return result;
}

} // namespace losos
