#include "base/env_file.h"

#include "support/catch.h"

using namespace losos;

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("base/env_file: pairs come in their order, comments and blank lines are passed over") {
    const auto pairs = parse_env("# the path\nB=2\n\n  \t\n  # more\nA=x=y z\nEMPTY=\n_1=last");
    REQUIRE(pairs);
    CHECK(*pairs == Pairs{{"B", "2"}, {"A", "x=y z"}, {"EMPTY", ""}, {"_1", "last"}});
    CHECK(parse_env("")->empty());
    CHECK(parse_env("\n\n")->empty());
}

TEST_CASE("base/env_file: a faulty line is refused and named") {
    const std::pair<std::string, const char*> cases[] = {
        {"A=1\nnothing\n", "line 2 has no ="},
        {"=1\n", "line 1 does not start with a name"},
        {"1A=1\n", "line 1 does not start with a name"},
        {" A=1\n", "line 1 does not start with a name"},
        {"A =1\n", "line 1 does not start with a name"},
        {"export A=1\n", "line 1 does not start with a name"},
        {"A-B=1\n", "line 1 does not start with a name"},
        {"Ä=1\n", "line 1 does not start with a name"},
        {"A=1\nB=2\nA=3\n", "line 3 sets \"A\" a second time"},
        {"A=1\r\n", "line 1 holds a control character"},
        {std::string("A=1\0\n", 5), "line 1 holds a control character"},
        {"A=\x1b[31m\n", "line 1 holds a control character"},
        {"A=\x7f\n", "line 1 holds a control character"},
    };
    for (const auto& [text, cause] : cases) {
        INFO(text);
        const auto pairs = parse_env(text);
        REQUIRE_FALSE(pairs);
        CHECK(pairs.error().what.starts_with(cause));
    }
}

TEST_CASE("base/env_file: only plain printable ASCII needs no quoting") {
    for (const char* const value : {"", "plain", "http://edge.local:8443/a?b=c&d=%20", "[::1]:2333",
                                    "a=b", "~!@^*()-+{}|<>,./"}) {
        INFO(value);
        CHECK(needs_no_quoting(value));
    }
    for (const char* const value : {"a b", "a\tb", "a\n", "\"a", "a'", "`a`", "a\\", "$A", "#a",
                                    "a;b", "é", "\x7f", "\x01"}) {
        INFO(value);
        CHECK_FALSE(needs_no_quoting(value));
    }
    CHECK_FALSE(needs_no_quoting(std::string_view("a\0", 2)));
}
