// base/json_reader: the reader below every body and file.
#include "check.h"
#include "target.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/utf8.h"

#include <set>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_most_levels = 32;

void check_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto character = utf8_at(text, at);
        FUZZ_CHECK(character.length > 0);
        at += character.length;
    }
}

void check_value(const Json& json, std::string_view input, std::size_t level) {
    FUZZ_CHECK(json.offset() < input.size());
    switch (json.kind()) {
    case Json::Kind::null:
        FUZZ_CHECK(input.substr(json.offset()).starts_with("null"));
        return;
    case Json::Kind::boolean:
        FUZZ_CHECK(input[json.offset()] == 't' || input[json.offset()] == 'f');
        return;
    case Json::Kind::integer:
    case Json::Kind::number:
        FUZZ_CHECK(input[json.offset()] == '-' ||
                   (input[json.offset()] >= '0' && input[json.offset()] <= '9'));
        return;
    case Json::Kind::string:
        FUZZ_CHECK(input[json.offset()] == '"');
        check_utf8(*json.text("it"));
        return;
    case Json::Kind::array:
        FUZZ_CHECK(input[json.offset()] == '[' && level < k_most_levels);
        for (const Json& item : **json.items("it")) {
            FUZZ_CHECK(item.offset() > json.offset());
            check_value(item, input, level + 1);
        }
        return;
    case Json::Kind::object:
        FUZZ_CHECK(input[json.offset()] == '{' && level < k_most_levels);
        std::set<std::string_view> keys;
        for (const auto& [key, value] : **json.members("it")) {
            FUZZ_CHECK(keys.insert(key).second);
            check_utf8(key);
            FUZZ_CHECK(value.offset() > json.offset());
            check_value(value, input, level + 1);
        }
        return;
    }
}

void write(JsonWriter& text, const Json& json) {
    switch (json.kind()) {
    case Json::Kind::null:
    // Nothing of ours takes a broken number, and the writer has none.
    case Json::Kind::number:
        text.null();
        return;
    case Json::Kind::boolean:
        // Only a member of an object can be asked which; this stands in a list.
        text.boolean(true);
        return;
    case Json::Kind::integer:
        text.whole(*json.whole("it", INT64_MIN, INT64_MAX));
        return;
    case Json::Kind::string:
        text.text(*json.text("it"));
        return;
    case Json::Kind::array:
        text.begin_array();
        for (const Json& item : **json.items("it")) {
            write(text, item);
        }
        text.end_array();
        return;
    case Json::Kind::object:
        text.begin_object();
        for (const auto& [key, value] : **json.members("it")) {
            text.key(key);
            if (value.kind() == Json::Kind::boolean) {
                text.boolean(**json.optional_boolean(key));
            } else {
                write(text, value);
            }
        }
        text.end_object();
        return;
    }
}

std::string render(const Json& json) {
    JsonWriter text(JsonWriter::Style::compact);
    write(text, json);
    return std::move(text).finish();
}

void run(std::string_view input) {
    if (const auto json = check_codec(input, Json::parse, render)) {
        check_value(*json, input, 0);
    }
}

const Known k_known({"json", "JSON texts", k_file, "*/*.json", run});

} // namespace
} // namespace losos::fuzz
