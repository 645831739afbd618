// Byte-stable JSON text. Strings are escaped; bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// Builds one JSON text piece by piece, in the order of the calls.
class JsonWriter {
public:
    enum class Style { compact, indented };

    explicit JsonWriter(Style style) : m_style(style) {}

    JsonWriter& begin_object();
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& end_array();
    JsonWriter& key(std::string_view name);
    JsonWriter& text(std::string_view value);
    JsonWriter& whole(std::int64_t value);
    JsonWriter& boolean(bool value);
    JsonWriter& null();

    /// key() and the value, in one call.
    JsonWriter& text(std::string_view name, std::string_view value) {
        return key(name).text(value);
    }
    JsonWriter& whole(std::string_view name, std::int64_t value) { return key(name).whole(value); }
    JsonWriter& boolean(std::string_view name, bool value) { return key(name).boolean(value); }

    /// The text; an indented one ends with a line feed.
    std::string finish() &&;

private:
    void before_value();
    void line_break();
    void close(char bracket);

    Style m_style;
    std::string m_text;
    // For each open object or array, whether it already holds something.
    std::vector<bool> m_filled;
    bool m_after_key = false;
};

} // namespace losos
