#include "base/env_file.h"

#include "base/format.h"
#include "base/utf8.h"

#include <algorithm>

namespace losos {
namespace {

using Pair = std::pair<std::string, std::string>;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_key(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

bool is_passed_over(std::string_view line) {
    const auto first = line.find_first_not_of(" \t");
    return first == std::string_view::npos || line[first] == '#';
}

} // namespace

Result<std::vector<Pair>> parse_env(std::string_view text) {
    std::vector<Pair> pairs;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (std::any_of(line.begin(), line.end(), is_control)) {
            return fail(Errc::failed, "line {} holds a control character", number);
        }
        if (is_passed_over(line)) {
            continue;
        }
        const auto equals = line.find('=');
        if (equals == std::string_view::npos) {
            return fail(Errc::failed, "line {} has no =", number);
        }
        const std::string_view key = line.substr(0, equals);
        if (!is_key(key)) {
            return fail(Errc::failed, "line {} does not start with a name of letters, digits and _",
                        number);
        }
        const auto is_same = [key](const Pair& pair) {
            return pair.first == key;
        };
        if (std::any_of(pairs.begin(), pairs.end(), is_same)) {
            return fail(Errc::failed, "line {} sets {} a second time", number, in_quotes(key));
        }
        pairs.emplace_back(key, line.substr(equals + 1));
    }
    return pairs;
}

bool needs_no_quoting(std::string_view value) {
    constexpr std::string_view special = "\"'`\\$#;";
    return std::all_of(value.begin(), value.end(), [special](char c) {
        return c > ' ' && c < '\x7F' && special.find(c) == std::string_view::npos;
    });
}

} // namespace losos
