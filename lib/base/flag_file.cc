#include "base/flag_file.h"

#include "base/format.h"

#include <algorithm>
#include <charconv>

namespace losos {
namespace {

constexpr std::string_view k_digits = "0123456789";
constexpr std::string_view k_key_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool is_whole_number(std::string_view word) {
    if (word.starts_with('-') || word.starts_with('+')) {
        word.remove_prefix(1);
    }
    return !word.empty() && word.find_first_not_of(k_digits) == std::string_view::npos;
}

void append_utf8(std::string& result, char32_t c) {
    const auto tail = [](char32_t bits) {
        return static_cast<char>(0x80U | (bits & 0x3FU));
    };
    if (c < 0x80) {
        result += static_cast<char>(c);
    } else if (c < 0x800) {
        result += {static_cast<char>(0xC0U | c >> 6U), tail(c)};
    } else if (c < 0x10000) {
        result += {static_cast<char>(0xE0U | c >> 12U), tail(c >> 6U), tail(c)};
    } else {
        result += {static_cast<char>(0xF0U | c >> 18U), tail(c >> 12U), tail(c >> 6U), tail(c)};
    }
}

class FlagFileParser {
public:
    explicit FlagFileParser(std::string_view text) : m_rest(text) {}

    Result<std::vector<FlagSetting>> parse() {
        std::vector<FlagSetting> settings;
        for (skip_blank_lines(); !m_rest.empty(); skip_blank_lines()) {
            TRY_ASSIGN(FlagSetting setting, parse_setting());
            const auto same = [&setting](const FlagSetting& other) {
                return other.key == setting.key;
            };
            if (std::any_of(settings.begin(), settings.end(), same)) {
                return wrong(format("\"{}\" stands twice", setting.key));
            }
            settings.push_back(std::move(setting));
            TRY(end_line());
        }
        return settings;
    }

private:
    Result<FlagSetting> parse_setting() {
        FlagSetting setting;
        setting.line = m_line;
        if (peek() == '[') {
            return wrong("tables are not known here, only key = value");
        }
        TRY_ASSIGN(setting.key, parse_key());
        skip_blanks();
        if (peek() == '.') {
            return wrong("dotted keys are not known here, only key = value");
        }
        if (!take('=')) {
            return wrong(format("\"{}\" is not followed by =", setting.key));
        }
        skip_blanks();
        if (take('[')) {
            TRY_ASSIGN(setting.values, parse_list());
        } else {
            TRY_ASSIGN(std::string value, parse_value());
            setting.values.push_back(std::move(value));
        }
        return setting;
    }

    Result<std::string> parse_key() {
        if (peek() == '"' || peek() == '\'') {
            return parse_value();
        }
        const std::string_view key = take_word(k_key_characters);
        if (key.empty()) {
            return wrong("this is not key = value");
        }
        return std::string(key);
    }

    Result<std::vector<std::string>> parse_list() {
        std::vector<std::string> values;
        for (;;) {
            skip_blank_lines();
            if (take(']')) {
                return values;
            }
            TRY_ASSIGN(std::string value, parse_value());
            values.push_back(std::move(value));
            skip_blank_lines();
            if (!take(',') && peek() != ']') {
                return wrong("a list lacks its comma or its closing bracket");
            }
        }
    }

    Result<std::string> parse_value() {
        if (take('\'')) {
            return parse_literal_text();
        }
        if (take('"')) {
            return parse_text();
        }
        const std::string_view word = m_rest.substr(0, m_rest.find_first_of(" \t\r\n,]#"));
        if (word != "true" && word != "false" && !is_whole_number(word)) {
            return wrong("a value is a text in quotes, a whole number, true or false");
        }
        m_rest.remove_prefix(word.size());
        return std::string(word);
    }

    Result<std::string> parse_literal_text() {
        const auto end = m_rest.find_first_of("'\n");
        if (end == std::string_view::npos || m_rest[end] == '\n') {
            return wrong("a text lacks its closing quote");
        }
        std::string text(m_rest.substr(0, end));
        m_rest.remove_prefix(end + 1);
        return text;
    }

    Result<std::string> parse_text() {
        std::string text;
        while (!m_rest.empty() && peek() != '\n') {
            const char c = peek();
            m_rest.remove_prefix(1);
            if (c == '"') {
                return text;
            }
            if (c == '\\') {
                TRY(parse_escape(text));
            } else {
                text += c;
            }
        }
        return wrong("a text lacks its closing quote");
    }

    Result<void> parse_escape(std::string& text) {
        constexpr std::string_view names = "btnfr\"\\";
        constexpr std::string_view meanings = "\b\t\n\f\r\"\\";
        const char c = peek();
        if (const auto known = names.find(c); !m_rest.empty() && known != std::string_view::npos) {
            text += meanings[known];
            m_rest.remove_prefix(1);
            return {};
        }
        if (c != 'u' && c != 'U') {
            return wrong("a text holds a backslash that starts nothing known");
        }
        const std::string_view digits = m_rest.substr(1, c == 'u' ? 4 : 8);
        std::uint32_t code = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        if (digits.size() != (c == 'u' ? 4U : 8U) || error != std::errc() ||
            end != digits.data() + digits.size() || surrogate || code > 0x10FFFF) {
            return wrong("a text holds a \\u that names no character");
        }
        append_utf8(text, code);
        m_rest.remove_prefix(1 + digits.size());
        return {};
    }

    Result<void> end_line() {
        skip_blanks();
        skip_comment();
        take('\r');
        if (!m_rest.empty() && peek() != '\n') {
            return wrong("something follows the value");
        }
        return {};
    }

    void skip_blanks() { take_word(" \t"); }

    void skip_comment() {
        if (peek() == '#') {
            m_rest.remove_prefix(std::min(m_rest.find('\n'), m_rest.size()));
        }
    }

    void skip_blank_lines() {
        for (;;) {
            take_word(" \t\r");
            skip_comment();
            if (!take('\n')) {
                return;
            }
            ++m_line;
        }
    }

    char peek() const { return m_rest.empty() ? '\0' : m_rest.front(); }

    bool take(char c) {
        const bool there = !m_rest.empty() && m_rest.front() == c;
        m_rest.remove_prefix(there ? 1 : 0);
        return there;
    }

    std::string_view take_word(std::string_view characters) {
        const auto end = std::min(m_rest.find_first_not_of(characters), m_rest.size());
        const std::string_view word = m_rest.substr(0, end);
        m_rest.remove_prefix(end);
        return word;
    }

    Error wrong(std::string_view cause) const {
        return fail(Errc::failed, "line {}: {}", m_line, cause);
    }

    std::string_view m_rest;
    std::size_t m_line = 1;
};

} // namespace

Result<std::vector<FlagSetting>> parse_flag_file(std::string_view text) {
    const auto is_control = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t' && c != '\r' && c != '\n') || byte == 0x7F;
    };
    const auto control = std::find_if(text.begin(), text.end(), is_control);
    if (control != text.end()) {
        const auto line = 1 + std::count(text.begin(), control, '\n');
        return fail(Errc::failed, "line {}: it holds a control character", line);
    }
    return FlagFileParser(text).parse();
}

} // namespace losos
