#include "base/json_reader.h"

#include "support/catch.h"

#include <utility>

using namespace losos;

namespace {

std::string error_of(std::string_view text) {
    const auto json = Json::parse(text);
    return json ? "accepted" : json.error().what;
}

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

template <class T>
std::string error_of(const Result<T>& result) {
    return result ? "accepted" : result.error().what;
}

} // namespace

TEST_CASE("base/json_reader: every kind of value is read and knows where it stands") {
    const auto json =
        Json::parse(R"( {"t": "x", "n": -5, "b": true, "z": null, "f": 1.5, "l": [1, {}]} )");
    REQUIRE(json);
    CHECK(json->kind() == Json::Kind::object);
    CHECK(json->offset() == 1);
    const auto& members = **json->members("all");
    REQUIRE(members.size() == 6);
    const std::pair<Json::Kind, std::size_t> expected[] = {
        {Json::Kind::string, 7}, {Json::Kind::integer, 17}, {Json::Kind::boolean, 26},
        {Json::Kind::null, 37},  {Json::Kind::number, 48},  {Json::Kind::array, 58},
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        INFO(members[i].first);
        CHECK(members[i].second.kind() == expected[i].first);
        CHECK(members[i].second.offset() == expected[i].second);
    }
    const auto& items = **members[5].second.items("l");
    REQUIRE(items.size() == 2);
    CHECK(items[1].offset() == 62);
    CHECK(items[1].kind() == Json::Kind::object);
}

TEST_CASE("base/json_reader: a value may stand alone") {
    CHECK(*Json::parse("\"x\"")->text("it") == "x");
    CHECK(*Json::parse(" 12 \n")->whole("it", 0, 20) == 12);
    CHECK(Json::parse("null")->kind() == Json::Kind::null);
    CHECK(Json::parse("true")->kind() == Json::Kind::boolean);
    CHECK(Json::parse("true \t\t\r\n\n\n      ")->kind() == Json::Kind::boolean);
    CHECK(Json::parse(" \n null            ")->kind() == Json::Kind::null);
    CHECK(Json::parse("[]")->kind() == Json::Kind::array);
    CHECK(Json::parse("{}")->kind() == Json::Kind::object);
}

TEST_CASE("base/json_reader: strings are unescaped, a NUL among them is kept") {
    const auto json = Json::parse(R"(["\u0000a\n\"\\\/\u00e9\ud83d\ude00é", ""])");
    REQUIRE(json);
    const auto& items = **json->items("all");
    CHECK(*items[0].text("it") == std::string("\0a\n\"\\/é😀é", 14));
    CHECK(items[1].text("it")->empty());
    CHECK(*Json::parse(R"({"a\u0062":1})")->required_whole("ab", 0, 9) == 1);
}

TEST_CASE("base/json_reader: what is not JSON is refused") {
    for (const std::string text : {"",
                                   " ",
                                   "\n",
                                   "{",
                                   "}",
                                   "[",
                                   "]",
                                   "[1",
                                   "[1}",
                                   "{\"a\":1",
                                   "{\"a\":1]",
                                   "[1,]",
                                   "[,1]",
                                   "[1,,2]",
                                   "[1 2]",
                                   "{\"a\":1,}",
                                   "{,}",
                                   "{\"a\"}",
                                   "{\"a\" 1}",
                                   "{\"a\":}",
                                   "{\"a\":1 \"b\":2}",
                                   "{a:1}",
                                   "{'a':1}",
                                   "{1:2}",
                                   "{null:1}",
                                   "{[]:1}",
                                   "tru",
                                   "truee",
                                   "True",
                                   "nul",
                                   "nulll",
                                   "NULL",
                                   "falsee",
                                   "NaN",
                                   "Infinity",
                                   "-Infinity",
                                   "undefined",
                                   "01",
                                   "-01",
                                   "1.",
                                   ".5",
                                   "+1",
                                   "-",
                                   "--1",
                                   "1e",
                                   "1e+",
                                   "1.e1",
                                   "0x10",
                                   "1_000",
                                   "1a",
                                   "'a'",
                                   "\"",
                                   "\"abc",
                                   "\"\\\"",
                                   "\"\\q\"",
                                   "\"\\u12\"",
                                   "\"\\u12g4\"",
                                   "\"\\ud800\"",
                                   "\"\\udc00\"",
                                   "\"\\ud800\\u0041\"",
                                   "\"a\tb\"",
                                   "\"a\nb\"",
                                   "\"\x01\"",
                                   "1 2",
                                   "[] []",
                                   "{}{}",
                                   "{} x",
                                   "\"a\"\"b\"",
                                   "[1]]",
                                   "// c\n1",
                                   "/* c */ 1",
                                   "[1] // c",
                                   "\xEF\xBB\xBF{}",
                                   "\x0c[]",
                                   "\xc2\xa0[]",
                                   "\"\xff\"",
                                   "\"\xc3\"",
                                   "\"\xed\xa0\x80\"",
                                   "\"\xc0\x80\"",
                                   "{\"\xff\":1}",
                                   "\xff",
                                   "[\"a\xc3\"]"}) {
        INFO(text);
        CHECK_FALSE(Json::parse(text));
    }
    for (const std::size_t length : {1U, 2U, 3U}) {
        CHECK_FALSE(Json::parse(std::string_view("\0\0\0", length)));
    }
    CHECK_FALSE(Json::parse(std::string_view("1\0", 2)));
    CHECK_FALSE(Json::parse(std::string_view("[]\0", 3)));
    CHECK_FALSE(Json::parse(std::string_view("\"a\0b\"", 5)));
}

TEST_CASE("base/json_reader: a fault is told with its byte") {
    const std::pair<std::string, std::size_t> cases[] = {
        {"", 0},
        {"{\"a\" 1}", 5},
        {"{\"a\":1 \"b\":2}", 7},
        {"{\"a\":1,}", 7},
        {"{'a':1}", 1},
        {"[1,,2]", 3},
        {"{\"a\":nul}", 5},
        {"{\"a\":01}", 5},
        {"{\"a\":\"\\q\"}", 5},
        {"{} x", 4},
        {"{\"a\": \"x\ny\"}", 8},
        {"{\"a\": \"xy}", 6},
        {"{\"a\": \"\xff\"}", 7},
        {"{\"a\": [1, 2", 11},
        {"{\"a\": {\"b\": 1}", 14},
    };
    for (const auto& [text, offset] : cases) {
        INFO(text);
        const std::string error = error_of(text);
        CHECK(error.starts_with("not JSON: "));
        CHECK(error.ends_with("(byte " + std::to_string(offset) + ")"));
    }
}

TEST_CASE("base/json_reader: 32 levels are read and the 33rd is refused") {
    CHECK(Json::parse(nested(32)));
    CHECK(error_of(nested(33)) == "more than 32 levels of lists and objects (byte 32)");
    CHECK_FALSE(Json::parse(nested(100'000)));
    CHECK_FALSE(Json::parse(std::string(100'000, '[')));
    std::string objects;
    for (int i = 0; i < 33; ++i) {
        objects += "{\"a\":";
    }
    CHECK(error_of(objects + "1" + std::string(33, '}')) ==
          "more than 32 levels of lists and objects (byte 160)");
}

TEST_CASE("base/json_reader: a key that stands twice in one object is refused") {
    CHECK(error_of(R"({"a":1,"b":2,"a":3})") == "key \"a\" stands twice (byte 13)");
    CHECK(error_of(R"({"x":{"a":1,"a":1}})") == "key \"a\" stands twice (byte 12)");
    CHECK(error_of(R"({"a":1,"\u0061":1})") == "key \"a\" stands twice (byte 7)");
    CHECK(Json::parse(R"({"a":{"a":1},"b":{"a":1},"A":1})"));
    const std::string as_long_as_a_token(32, 't');
    CHECK(error_of("{\"" + as_long_as_a_token + "\":1,\"" + as_long_as_a_token + "\":1}") ==
          "a key stands twice (byte 38)");
    CHECK(error_of(R"({"a\nb":1,"a\nb":1})") == "a key stands twice (byte 10)");
    std::string many = "{";
    for (int i = 0; i < 1000; ++i) {
        many += "\"k" + std::to_string(i) + "\":0,";
    }
    CHECK(Json::parse(many + "\"k\":0}"));
    CHECK(error_of(many + "\"k7\":0}") ==
          "key \"k7\" stands twice (byte " + std::to_string(many.size()) + ")");
}

TEST_CASE("base/json_reader: whole numbers keep to 64 bits and to their bounds") {
    CHECK(*Json::parse("9223372036854775807")->whole("n", 0, INT64_MAX) == INT64_MAX);
    CHECK(*Json::parse("-9223372036854775808")->whole("n", INT64_MIN, 0) == INT64_MIN);
    CHECK(*Json::parse("-0")->whole("n", 0, 0) == 0);
    for (const char* const text :
         {"9223372036854775808", "18446744073709551615", "1.0", "1e2", "1E400", "0.5", "-1.5e-3"}) {
        INFO(text);
        const auto json = Json::parse(text);
        CHECK_FALSE((json && json->whole("n", INT64_MIN, INT64_MAX)));
    }
    CHECK(Json::parse("18446744073709551615")->kind() == Json::Kind::number);
    CHECK_FALSE(Json::parse("1e400"));
    CHECK_FALSE(Json::parse("-1e99999999999999999999"));
    CHECK(error_of(Json::parse("{\"p\": 0}")->required_whole("p", 1, 65535)) ==
          "field \"p\" must be a whole number from 1 to 65535 (byte 6)");
    CHECK(error_of(Json::parse("{\"p\": \"x\"}")->required_whole("p", INT64_MIN, INT64_MAX)) ==
          "field \"p\" must be a whole number (byte 6)");
    CHECK_FALSE(Json::parse("65536")->whole("p", 1, 65535));
    CHECK(Json::parse("65535")->whole("p", 1, 65535));
}

TEST_CASE("base/json_reader: a field of the wrong kind is named with its byte") {
    const auto json = Json::parse(R"({"t": 1, "l": {}, "o": [], "b": "true", "n": "1"})");
    REQUIRE(json);
    CHECK(error_of(json->required_text("t")) == "field \"t\" must be a text (byte 6)");
    CHECK(error_of(json->optional_text("t")) == "field \"t\" must be a text (byte 6)");
    CHECK(error_of(json->required_items("l")) == "field \"l\" must be a list (byte 14)");
    CHECK(error_of(json->required_members("o")) == "field \"o\" must be an object (byte 23)");
    CHECK(error_of(json->find("t")->check_entry_of("l")) ==
          "an entry of \"l\" must be an object (byte 6)");
    CHECK(json->check_entry_of("l"));
    CHECK(error_of(json->boolean_or("b", true)) == "field \"b\" must be true or false (byte 32)");
    CHECK(error_of(json->optional_boolean("b")) == "field \"b\" must be true or false (byte 32)");
    CHECK(error_of(json->required_whole("n", 0, 9)) ==
          "field \"n\" must be a whole number from 0 to 9 (byte 45)");
}

TEST_CASE("base/json_reader: an absent field and a null one are the same") {
    const auto json = Json::parse(R"({"z": null, "t": "x", "b": false})");
    REQUIRE(json);
    for (const char* const key : {"z", "absent"}) {
        INFO(key);
        CHECK(json->find(key) == nullptr);
        const std::string missing = "field \"" + std::string(key) + "\" is missing (byte 0)";
        CHECK(error_of(json->required_text(key)) == missing);
        CHECK(error_of(json->required_whole(key, 0, 1)) == missing);
        CHECK(error_of(json->required_items(key)) == missing);
        CHECK(error_of(json->required_members(key)) == missing);
        CHECK(*json->optional_text(key) == std::nullopt);
        CHECK(*json->optional_boolean(key) == std::nullopt);
        CHECK(*json->boolean_or(key, true));
        CHECK_FALSE(*json->boolean_or(key, false));
    }
    CHECK(*json->required_text("t") == "x");
    CHECK(**json->optional_text("t") == "x");
    CHECK_FALSE(*json->boolean_or("b", true));
    CHECK(Json::parse("[1]")->find("a") == nullptr);
}

TEST_CASE("base/json_reader: a tree outlives the text and the next parse") {
    Result<Json> first = Json::parse(std::string(R"({"a": "a long enough text to be kept"})"));
    REQUIRE(first);
    for (int i = 0; i < 10; ++i) {
        CHECK(Json::parse("{\"b\": \"" + std::string(100'000, 'x') + "\"}"));
        CHECK_FALSE(Json::parse("{\"b\": "));
    }
    CHECK(*first->required_text("a") == "a long enough text to be kept");
}

TEST_CASE("base/json_reader: every prefix of a document is refused") {
    const std::string text = R"({"a": [1, true, null, "x\u00e9y"], "b": {"c": -1.5e3}})";
    REQUIRE(Json::parse(text));
    for (std::size_t length = 0; length < text.size(); ++length) {
        INFO(length);
        const std::string error = error_of(text.substr(0, length));
        CHECK(error.starts_with("not JSON: "));
    }
}
