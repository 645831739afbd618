#include "base/json_writer.h"

#include "base/json_reader.h"

#include "support/catch.h"

#include <cstdint>
#include <limits>

using namespace losos;

namespace {

std::string written_as_text(std::string_view text) {
    JsonWriter writer(JsonWriter::Style::compact);
    writer.text(text);
    return std::move(writer).finish();
}

std::string sample(JsonWriter::Style style) {
    JsonWriter writer(style);
    writer.begin_object().text("name", "mattbox").whole("port", 20000).boolean("idle", false);
    writer.key("none").null();
    writer.key("empty").begin_object().end_object();
    writer.key("list").begin_array().whole(1).text("two").begin_array().end_array().end_array();
    writer.end_object();
    return std::move(writer).finish();
}

} // namespace

TEST_CASE("base/json_writer: compact text has no blank and no line feed") {
    CHECK(
        sample(JsonWriter::Style::compact) ==
        R"({"name":"mattbox","port":20000,"idle":false,"none":null,"empty":{},"list":[1,"two",[]]})");
}

TEST_CASE("base/json_writer: indented text steps by two and ends with a line feed") {
    CHECK(sample(JsonWriter::Style::indented) == R"({
  "name": "mattbox",
  "port": 20000,
  "idle": false,
  "none": null,
  "empty": {},
  "list": [
    1,
    "two",
    []
  ]
}
)");
}

TEST_CASE("base/json_writer: an empty list and a lone value stand alone") {
    JsonWriter list(JsonWriter::Style::indented);
    list.begin_array().end_array();
    CHECK(std::move(list).finish() == "[]\n");
    JsonWriter value(JsonWriter::Style::compact);
    value.boolean(true);
    CHECK(std::move(value).finish() == "true");
}

TEST_CASE("base/json_writer: the ends of the number range are written out") {
    JsonWriter writer(JsonWriter::Style::compact);
    writer.begin_array().whole(std::numeric_limits<std::int64_t>::min());
    writer.whole(std::numeric_limits<std::int64_t>::max()).whole(0).end_array();
    CHECK(std::move(writer).finish() == "[-9223372036854775808,9223372036854775807,0]");
}

TEST_CASE("base/json_writer: what must not stand in a string is escaped") {
    const std::pair<std::string, const char*> cases[] = {
        {"plain", R"("plain")"},
        {"\"\\/", R"("\"\\/")"},
        {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
        {std::string("\0\x01\x1f\x7f", 4), R"("\u0000\u0001\u001f\u007f")"},
        {"é€😀", "\"é€😀\""},
        {"</script>", R"("</script>")"},
    };
    for (const auto& [text, expected] : cases) {
        CHECK(written_as_text(text) == expected);
    }
}

TEST_CASE("base/json_writer: each byte that is no UTF-8 becomes a replacement character") {
    CHECK(written_as_text("a\xff"
                          "b") == "\"a\xEF\xBF\xBD"
                                  "b\"");
    CHECK(written_as_text("\xc3") == "\"\xEF\xBF\xBD\"");
    CHECK(written_as_text("\xed\xa0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    CHECK(written_as_text("\xc3\"") == "\"\xEF\xBF\xBD\\\"\"");
}

TEST_CASE("base/json_writer: every byte as text and key is read back or replaced") {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string text = std::string("<") + static_cast<char>(byte) + ">";
        JsonWriter writer(JsonWriter::Style::indented);
        writer.begin_object().text(text, text).end_object();
        const auto read = Json::parse(std::move(writer).finish());
        REQUIRE(read);
        const auto members = read->members("all");
        REQUIRE(members);
        const std::string expected = byte < 0x80 ? text : "<\xEF\xBF\xBD>";
        CHECK((**members)[0].first == expected);
        CHECK(*(**members)[0].second.text("text") == expected);
    }
}
