#include "core/bearer_token.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

TEST_CASE("a bearer token is trimmed, and is what a service account gets") {
    const std::string account =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6Ii1fIn0.e30=." + std::string(1200, 'x');
    CHECK(sound(BearerToken::parse("  " + account + "\n")).reveal() == account);
    CHECK(sound(BearerToken::parse(std::string(32, '~'))).reveal() == std::string(32, '~'));
    CHECK(sound(BearerToken::parse(std::string(8192, 'a'))).reveal().size() == 8192);
}

TEST_CASE("what may not stand in a header is no bearer token, and is not repeated") {
    const std::string geheim = "geheim" + std::string(40, 'g');
    const auto text = GENERATE_COPY(values<std::string>(
        {"", " \n", std::string(31, 'a'), std::string(8193, 'a'), geheim + " " + geheim,
         geheim + "\r\nHost: evil", geheim + std::string(1, '\0') + "a", geheim + "\xc3\xa4",
         geheim + "\"", geheim + ":"}));
    const auto token = BearerToken::parse(text);
    REQUIRE_FALSE(token.has_value());
    CHECK(token.error().what.find("geheim") == std::string::npos);
}
