#include "base/flag_lines.h"

#include "base/format.h"

namespace losos {
namespace {

// A shorter one is left out, whatever stands there.
constexpr std::size_t k_shortest_line = 3;

std::string_view trim(std::string_view text) {
    constexpr std::string_view k_blanks = " \t\r\v\f";
    const auto begin = text.find_first_not_of(k_blanks);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(k_blanks) + 1 - begin);
}

std::string_view without_comment(std::string_view text) {
    return trim(text.substr(0, text.find('#')));
}

bool is_blank_or_comment(std::string_view line) {
    return line.empty() || line.front() == '#' || line.front() == ';';
}

bool is_understood(std::string_view line) {
    return line.size() >= k_shortest_line &&
           (line.front() == '[' || line.find('=') != std::string_view::npos);
}

bool ends_list(std::string_view line) {
    return line.ends_with(']') || without_comment(line).ends_with(']');
}

bool opens_list(std::string_view line) {
    const auto value = without_comment(line.substr(line.find('=') + 1));
    return line.front() != '[' && value.starts_with('[') && !value.ends_with(']');
}

} // namespace

Result<void> check_flag_lines(std::string_view text) {
    bool is_in_list = false;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        const auto line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (is_in_list) {
            is_in_list = !ends_list(line);
        } else if (!is_blank_or_comment(line)) {
            if (!is_understood(line)) {
                return fail(Errc::usage, "line {} is not flag = value", number);
            }
            is_in_list = opens_list(line);
        }
    }
    return {};
}

} // namespace losos
