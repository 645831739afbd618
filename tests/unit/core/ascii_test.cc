#include "core/ascii.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("only ASCII letters are folded") {
    CHECK(fold_ascii_case("AbZ09-.") == "abz09-.");
    CHECK(fold_ascii_case("\xc3\x84@[") == "\xc3\x84@[");
    CHECK(fold_ascii_case("").empty());
}

TEST_CASE("white space goes at the ends and stays inside") {
    CHECK(trim_ascii(" \t\r\n\v\fa b\n") == "a b");
    CHECK(trim_ascii(" \n ").empty());
    CHECK(trim_ascii("").empty());
    CHECK(trim_ascii("\xc2\xa0x") == "\xc2\xa0x");
}
