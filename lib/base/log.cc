#include "base/log.h"

#include "base/utf8.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

struct Range {
    char32_t first;
    char32_t last;
};

// Control characters, and those that turn the direction of what follows or start a line of their
// own: a terminal obeys them all. And what shows nothing (Unicode's Default_Ignorable_Code_Point),
// fills a place with nothing or is no character: two texts that differ must not look the same.
constexpr std::array<Range, 23> k_unsafe = {{
    {0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},        {0x034F, 0x034F}, {0x061C, 0x061C},
    {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},    {0x200B, 0x200F}, {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x2800, 0x2800},   {0x3164, 0x3164},    {0xE000, 0xF8FF}, {0xFDD0, 0xFDEF},
    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF},
}};

bool is_unsafe(char32_t c) {
    return std::any_of(k_unsafe.begin(), k_unsafe.end(),
                       [c](const Range& range) { return c >= range.first && c <= range.last; });
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
