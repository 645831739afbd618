#include "io/http_answer_reader.h"

#include "support/catch.h"

#include <string>
#include <string_view>

using namespace losos;
using State = HttpAnswerReader::State;

namespace {

constexpr std::size_t k_limit = 64;
constexpr std::string_view k_sound = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

State state_of(std::string_view bytes) {
    return HttpAnswerReader(k_limit).take(bytes);
}

State ended_state_of(std::string_view bytes) {
    HttpAnswerReader reader(k_limit);
    reader.take(bytes);
    return reader.end();
}

bool may_go_on_after(std::string_view bytes) {
    HttpAnswerReader reader(k_limit);
    reader.take(bytes);
    return reader.may_go_on();
}

} // namespace

TEST_CASE("io/http_answer_reader: a request names its host and keeps the connection") {
    const auto request = render_http_get("edge.example:8443", "/health");
    CHECK(request.starts_with("GET /health HTTP/1.1\r\n"));
    CHECK(request.find("\r\nHost: edge.example:8443\r\n") != std::string::npos);
    CHECK(request.find("\r\nConnection: keep-alive\r\n") != std::string::npos);
    CHECK(request.ends_with("\r\n\r\n"));
}

TEST_CASE("io/http_answer_reader: an answer is whole with its last byte, however it is cut") {
    HttpAnswerReader reader(k_limit);
    for (std::size_t at = 0; at + 1 < k_sound.size(); ++at) {
        REQUIRE(reader.take(k_sound.substr(at, 1)) == State::open);
    }
    REQUIRE(reader.take(k_sound.substr(k_sound.size() - 1)) == State::whole);
    CHECK(reader.status() == 200);
    CHECK(reader.body() == "ok");
    CHECK(reader.may_go_on());
}

TEST_CASE("io/http_answer_reader: a body ends by its length, its chunks, or the connection") {
    const std::string chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n";
    CHECK(state_of(chunks) == State::open);
    CHECK(state_of(chunks + "0\r\n\r\n") == State::whole);
    CHECK(state_of("HTTP/1.1 204 No Content\r\n\r\n") == State::whole);

    const std::string to_the_end = "HTTP/1.1 200 OK\r\n\r\nok";
    CHECK(state_of(to_the_end) == State::open);
    CHECK(ended_state_of(to_the_end) == State::whole);
    CHECK(ended_state_of("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok") == State::odd);
    CHECK(ended_state_of("") == State::odd);
}

TEST_CASE("io/http_answer_reader: a connection goes on only after a whole answer that allows it") {
    CHECK(may_go_on_after(k_sound));
    CHECK_FALSE(may_go_on_after(std::string(k_sound) + "HTTP/1.1"));
    CHECK_FALSE(may_go_on_after(k_sound.substr(0, k_sound.size() - 1)));
    CHECK_FALSE(
        may_go_on_after("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok"));
    CHECK_FALSE(may_go_on_after(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"));
    CHECK_FALSE(may_go_on_after("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"));
}

TEST_CASE("io/http_answer_reader: what is no answer, or too large, is odd at once") {
    CHECK(state_of("SSH-2.0-OpenSSH_9.2\r\n") == State::odd);
    CHECK(state_of("HTTP/1.1 200 " + std::string(2000, 'a')) == State::odd);
    CHECK(state_of("HTTP/1.1 200 OK\r\nX: " + std::string(9000, 'a')) == State::odd);
    CHECK(state_of("HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n" + std::string(65, 'x')) ==
          State::odd);
    CHECK(state_of("HTTP/1.1 200 OK\r\n\r\n" + std::string(65, 'x')) == State::odd);
    CHECK(state_of("HTTP/1.1 200 OK\r\nContent-Length: 64\r\n\r\n" + std::string(64, 'x')) ==
          State::whole);
}
