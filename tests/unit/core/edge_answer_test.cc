#include "core/edge_answer.h"

#include "support/catch.h"

#include <utility>
#include <vector>

using namespace losos;

TEST_CASE("every status is good, refused, unavailable or odd") {
    const std::vector<std::pair<int, AnswerKind>> table = {
        {200, AnswerKind::good},        {204, AnswerKind::good},
        {301, AnswerKind::odd},         {400, AnswerKind::odd},
        {401, AnswerKind::refused},     {403, AnswerKind::refused},
        {404, AnswerKind::odd},         {405, AnswerKind::odd},
        {409, AnswerKind::refused},     {413, AnswerKind::odd},
        {422, AnswerKind::odd},         {429, AnswerKind::unavailable},
        {500, AnswerKind::unavailable}, {502, AnswerKind::unavailable},
        {503, AnswerKind::unavailable}, {504, AnswerKind::unavailable},
        {100, AnswerKind::odd},         {0, AnswerKind::odd},
    };
    for (const auto& [status, kind] : table) {
        CAPTURE(status);
        CHECK(classify_status(status) == kind);
    }
}

TEST_CASE("a refusal ends with 3, an edge that cannot answer with 4, anything odd with 1") {
    CHECK(code_of(AnswerKind::refused) == Errc::refused);
    CHECK(code_of(AnswerKind::unavailable) == Errc::no_answer);
    CHECK(code_of(AnswerKind::good) == Errc::no_answer);
    CHECK(code_of(AnswerKind::odd) == Errc::failed);
}

TEST_CASE("an answer is quoted by its first line, cut between characters") {
    CHECK(quote_answer("busy; retry later\n") == "busy; retry later");
    CHECK(quote_answer("\r\n one \r\ntwo") == "one");
    CHECK(quote_answer("").empty());
    CHECK(quote_answer(" \n").empty());
    CHECK(quote_answer(std::string(200, 'a')) == std::string(200, 'a'));
    CHECK(quote_answer(std::string(201, 'a')) == std::string(200, 'a') + "...");
    CHECK(quote_answer(std::string(199, 'a') + "\xc3\xa4" + "b") == std::string(199, 'a') + "...");
    CHECK(quote_answer(std::string(300, '\x80')) == "...");
}

TEST_CASE("a token that an edge sends back is not shown") {
    const auto token = *Token::parse(std::string(32, 'k'));
    CHECK(without_secret("no: " + token.reveal() + ", " + token.reveal() + "!", token) ==
          "no: <secret>, <secret>!");
    CHECK(without_secret("nothing of it", token) == "nothing of it");
}

TEST_CASE("neither is a relay pass or a key in hex") {
    const auto token = *Token::parse(std::string(32, 'k'));
    const std::string hex(64, 'a');
    CHECK(without_secret("v1.480000." + hex + "!", token) == "v1.480000.<secret>!");
    CHECK(without_secret(hex, token) == "<secret>");
    CHECK(without_secret("x" + hex + "0 " + hex, token) == "x<secret> <secret>");
    CHECK(without_secret(hex.substr(1) + "g", token) == hex.substr(1) + "g");
}

TEST_CASE("a redirect and an address without an edge are told with what to do") {
    for (const int status : {301, 302, 303, 307, 308}) {
        CHECK(advise_on(status).find("redirect") != std::string_view::npos);
    }
    for (const int status : {404, 405}) {
        CHECK(advise_on(status).find("check the URL") != std::string_view::npos);
    }
    for (const int status : {200, 400, 401, 403, 409, 413, 429, 500, 503}) {
        CHECK(advise_on(status).empty());
    }
}
