#include "base/hex.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("base/hex: every byte becomes two lower-case digits and comes back") {
    std::string bytes;
    for (int i = 0; i < 256; ++i) {
        bytes += static_cast<char>(i);
    }
    const std::string text = hex_encode(bytes);
    CHECK(text.size() == 512);
    CHECK(text.substr(0, 6) == "000102");
    CHECK(text.substr(506) == "fdfeff");
    REQUIRE(hex_decode(text));
    CHECK(*hex_decode(text) == bytes);
    CHECK(hex_encode("").empty());
    CHECK(hex_decode("")->empty());
}

TEST_CASE("base/hex: anything but an even number of lower-case digits is refused") {
    for (const std::string text : {"0", "abc", "AB", "0g", "0x", " 0", "0 ", "é"}) {
        INFO(text);
        CHECK_FALSE(hex_decode(text));
    }
    CHECK_FALSE(hex_decode(std::string_view("0\0", 2)));
}
