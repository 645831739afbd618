#include "base/flag_lines.h"

#include "support/catch.h"

#include <string>

using namespace losos;

TEST_CASE("base/flag_lines: what can be read is let by") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "\n \t\r\n",
        "# a comment\n;another\n#\n;\n",
        "ttl = 15\nmax=3\r\n",
        "  indented = \"a # b = c\"\n",
        "listen = \"0.0.0.0:1\" # why",
        "id=",
        "[serve]\n[[twice]]",
        "host = [\"a\", \"b\"]",
        "host = [\"a\",\n  \"b\"\n\n]\nttl = 1",
        "host = [\n\"a\",\n\"b\",\n] # all\nttl = 1",
        "host = [ # both\n\"a\",\n\"b\"]",
    }));
    CAPTURE(text);
    CHECK(check_flag_lines(text));
}

TEST_CASE("base/flag_lines: a line that would be left out or taken for a switch is named") {
    const auto [text, line] = GENERATE(table<std::string, std::string>({
        {"rathole-config", "1"},
        {"# a comment\n\nlan-advertise # on\n", "3"},
        {"listen: \"0.0.0.0:1\"\n", "1"},
        {"ttl = 1\nx\n", "2"},
        {"a=", "1"},
        {"[]", "1"},
        {"host = [\"a\",\n\"b\"]\nttl\n", "3"},
        {"host = [\"a\"]\n]\n", "2"},
    }));
    CAPTURE(text);
    CHECK(check_flag_lines(text).error() ==
          Error{Errc::usage, "line " + line + " is not flag = value"});
}
