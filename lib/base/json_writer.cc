#include "base/json_writer.h"

#include "base/format.h"
#include "base/utf8.h"

#include <array>

namespace losos {
namespace {

constexpr std::string_view k_replacement = "\xEF\xBF\xBD"; // U+FFFD

void append_escaped(std::string& result, char c) {
    switch (c) {
    case '"':
        result += "\\\"";
        break;
    case '\\':
        result += "\\\\";
        break;
    case '\n':
        result += "\\n";
        break;
    case '\r':
        result += "\\r";
        break;
    case '\t':
        result += "\\t";
        break;
    case '\b':
        result += "\\b";
        break;
    case '\f':
        result += "\\f";
        break;
    default:
        if (static_cast<unsigned char>(c) < 0x20 || c == '\x7F') {
            result += format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
}

/// Whether a byte stands in a JSON text as it is, whatever comes before and after it.
constexpr auto k_is_plain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t byte = 0x20; byte < 0x7F; ++byte) {
        plain[byte] = byte != '"' && byte != '\\';
    }
    return plain;
}();

std::size_t length_of_plain(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && k_is_plain[static_cast<unsigned char>(text[length])]) {
        ++length;
    }
    return length;
}

void append_quoted(std::string& result, std::string_view text) {
    result += '"';
    for (std::size_t i = 0; i < text.size();) {
        const auto plain = length_of_plain(text.substr(i));
        result += text.substr(i, plain);
        i += plain;
        if (i == text.size()) {
            break;
        }
        const std::size_t length = utf8_at(text, i).length;
        if (length == 1) {
            append_escaped(result, text[i]);
        } else {
            result += length == 0 ? k_replacement : text.substr(i, length);
        }
        i += length == 0 ? 1 : length;
    }
    result += '"';
}

} // namespace

JsonWriter& JsonWriter::begin_object() {
    before_value();
    m_text += '{';
    m_filled.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::end_object() {
    close('}');
    return *this;
}

JsonWriter& JsonWriter::begin_array() {
    before_value();
    m_text += '[';
    m_filled.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::end_array() {
    close(']');
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    before_value();
    append_quoted(m_text, name);
    m_text += m_style == Style::indented ? ": " : ":";
    m_after_key = true;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
    before_value();
    append_quoted(m_text, value);
    return *this;
}

JsonWriter& JsonWriter::whole(std::int64_t value) {
    before_value();
    m_text += std::to_string(value);
    return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
    before_value();
    m_text += value ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::null() {
    before_value();
    m_text += "null";
    return *this;
}

std::string JsonWriter::finish() && {
    if (m_style == Style::indented) {
        m_text += '\n';
    }
    return std::move(m_text);
}

void JsonWriter::before_value() {
    if (m_after_key) {
        m_after_key = false;
        return;
    }
    if (m_filled.empty()) {
        return;
    }
    if (m_filled.back()) {
        m_text += ',';
    }
    m_filled.back() = true;
    line_break();
}

void JsonWriter::line_break() {
    if (m_style == Style::indented) {
        m_text += '\n';
        m_text.append(m_filled.size() * 2, ' ');
    }
}

void JsonWriter::close(char bracket) {
    const bool filled = m_filled.back();
    m_filled.pop_back();
    if (filled) {
        line_break();
    }
    m_text += bracket;
}

} // namespace losos
