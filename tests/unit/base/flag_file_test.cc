#include "base/flag_file.h"

#include "support/catch.h"

#include <utility>

using namespace losos;

namespace {

using Values = std::vector<std::string>;

Values values_of(std::string_view text) {
    const auto settings = parse_flag_file(text);
    return settings && settings->size() == 1 ? (*settings)[0].values : Values{"refused"};
}

} // namespace

TEST_CASE("base/flag_file: settings come in their order with their lines") {
    const auto settings = parse_flag_file("# what we listen on\n"
                                          "listen = \"127.0.0.1:8443\" # \"not\" this\n"
                                          "\n"
                                          "\tenrol-max=256\r\n"
                                          "lan-advertise = true\n"
                                          "\"quoted-key\" = 'x'");
    REQUIRE(settings);
    REQUIRE(settings->size() == 4);
    CHECK((*settings)[0].key == "listen");
    CHECK((*settings)[0].values == Values{"127.0.0.1:8443"});
    CHECK((*settings)[0].line == 2);
    CHECK((*settings)[1].key == "enrol-max");
    CHECK((*settings)[1].values == Values{"256"});
    CHECK((*settings)[1].line == 4);
    CHECK((*settings)[2].values == Values{"true"});
    CHECK((*settings)[3].key == "quoted-key");
    CHECK(parse_flag_file("")->empty());
    CHECK(parse_flag_file("\n# only words\n  \r\n")->empty());
}

TEST_CASE("base/flag_file: values are read as TOML spells them") {
    const std::pair<const char*, Values> cases[] = {
        {"k = \"\"", {""}},
        {"k = ''", {""}},
        {"k = \"a#b, c = [d]\"", {"a#b, c = [d]"}},
        {"k = 'C:\\new \"x\"'", {"C:\\new \"x\""}},
        {R"(k = "\b\t\n\f\r\"\\\u00e9\U0001F600")", {"\b\t\n\f\r\"\\é😀"}},
        {"k = -5", {"-5"}},
        {"k = 1#c", {"1"}},
        {"k = []", {}},
        {"k = [\"a\"]", {"a"}},
        {"k = [ 'a' , \"b,]\",3, true ] # c", {"a", "b,]", "3", "true"}},
        {"k = [\n  \"a\", # one\n\n  'b',\n]\n", {"a", "b"}},
    };
    for (const auto& [text, values] : cases) {
        INFO(text);
        CHECK(values_of(text) == values);
    }
}

TEST_CASE("base/flag_file: lines are counted inside lists too") {
    const auto settings = parse_flag_file("a = [\n1,\n2,\n]\nb = 1\n");
    REQUIRE(settings);
    CHECK((*settings)[1].line == 5);
}

TEST_CASE("base/flag_file: what is no such TOML is refused with its line") {
    const std::pair<std::string, std::size_t> cases[] = {
        {"listen\n", 1},
        {"a = 1\nlisten 5\n", 2},
        {"[serve]\nlisten = 1\n", 1},
        {"[[serve]]\n", 1},
        {"serve.listen = 1\n", 1},
        {"= 1\n", 1},
        {"a =\n", 1},
        {"a = # nothing\n", 1},
        {"a = words\n", 1},
        {"a = 15s\n", 1},
        {"a = 1.5\n", 1},
        {"a = 127.0.0.1:80\n", 1},
        {"a = 1979-05-27\n", 1},
        {"a = True\n", 1},
        {"a = {b = 1}\n", 1},
        {"a = \"x\n\"", 1},
        {"a = 'x\n'", 1},
        {"a = \"x", 1},
        {"a = \"x\\", 1},
        {"a = \"\\q\"", 1},
        {"a = \"\\u12\"", 1},
        {"a = \"\\ud800\"", 1},
        {"a = \"\\U00110000\"", 1},
        {"a = \"\"\"x\"\"\"", 1},
        {"a = '''x'''", 1},
        {"a = \"x\" y\n", 1},
        {"a = 1 2\n", 1},
        {"a = \"x\"b = 1\n", 1},
        {"a = [1\n", 2},
        {"a = [1 2]\n", 1},
        {"a = [,1]\n", 1},
        {"a = [1,,2]\n", 1},
        {"a = [[1]]\n", 1},
        {"a = 1]\n", 1},
        {"a = 1\nb = 2\na = 3\n", 3},
        {"é = 1\n", 1},
        {"a = 1\n\x01\n", 2},
        {std::string("a = \"\0\"\n", 8), 1},
        {"a = \"\x1b\"\n", 1},
    };
    for (const auto& [text, line] : cases) {
        INFO(text);
        const auto settings = parse_flag_file(text);
        REQUIRE_FALSE(settings);
        CHECK(settings.error().what.starts_with("line " + std::to_string(line) + ": "));
    }
}
