#include "base/log.h"

#include "support/catch.h"
#include "unit/base/captured_stream.h"

#include <cstdlib>

using namespace losos;

TEST_CASE("base/log: printable text stays as it is") {
    for (const char* const text : {"", "plain words", "é€😀", "\\n \\x41", "\"quoted\""}) {
        CHECK(printable(text) == text);
    }
}

TEST_CASE("base/log: what could break a line or a terminal is escaped") {
    const std::pair<std::string, const char*> cases[] = {
        {"a\nb", "a\\x0ab"},
        {"a\r\n", "a\\x0d\\x0a"},
        {"\t", "\\x09"},
        {std::string("\0", 1), "\\x00"},
        {"\x1b[2J", "\\x1b[2J"},
        {"\x7f", "\\x7f"},
        {"\xff", "\\xff"},
        {"\xc3(", "\\xc3("},
        {"\xc2\x9b"
         "2J",
         "\\xc2\\x9b2J"},
        {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
        {"\xe2\x80\xae", "\\xe2\\x80\\xae"},
        {"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
        {"a\u200bb", "a\\xe2\\x80\\x8bb"},
        {"\u00ad\ufeff", "\\xc2\\xad\\xef\\xbb\\xbf"},
        {"\u3164", "\\xe3\\x85\\xa4"},
        {"\U000e0041", "\\xf3\\xa0\\x81\\x81"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
    };
    for (const auto& [text, expected] : cases) {
        CHECK(printable(text) == expected);
    }
}

TEST_CASE("base/log: a message is one line after the tool's name") {
    set_log_name("losos-tool");
    test::CapturedStream captured(STDERR_FILENO);
    log(LogLevel::warning, "{} of {}\nforged: line", 1, "two");
    set_log_name("");
    log_line(LogLevel::info, "bare");
    CHECK(captured.take() == "losos-tool: 1 of two\\x0aforged: line\nbare\n");
}

TEST_CASE("base/log: a message to the journal carries its priority") {
    set_log_name("losos-tool");
    test::CapturedStream captured(STDERR_FILENO);
    ::setenv("JOURNAL_STREAM", captured.stream_name().c_str(), 1);
    log_line(LogLevel::error, "bad");
    log_line(LogLevel::info, "good");
    // A stream that is not the journal's: standard error was redirected.
    ::setenv("JOURNAL_STREAM", "1:1", 1);
    log_line(LogLevel::error, "elsewhere");
    ::unsetenv("JOURNAL_STREAM");
    set_log_name("");
    CHECK(captured.take() == "<3>bad\n<6>good\nlosos-tool: elsewhere\n");
}
