#include "io/http_framing.h"

#include "support/catch.h"

#include <string>
#include <vector>

using losos::FramingLimits;
using losos::RequestFramer;

namespace {

struct Framed {
    RequestFramer::State state = RequestFramer::State::more;
    losos::FramedRequest request;
    losos::Refusal refusal;
    std::string rest;
};

FramingLimits small_limits() {
    FramingLimits limits;
    limits.body_bytes = 16;
    limits.line_bytes = 64;
    limits.head_bytes = 256;
    limits.headers = 6;
    return limits;
}

Framed frame(const std::string& bytes, std::size_t piece) {
    RequestFramer framer(small_limits());
    Framed framed;
    for (std::size_t at = 0; at < bytes.size() && framed.state == RequestFramer::State::more;
         at += piece) {
        framed.rest += bytes.substr(at, piece);
        framed.state = framer.advance(framed.rest);
    }
    framed.request = framer.request();
    framed.refusal = framer.refusal();
    return framed;
}

const std::string k_post = "POST /a HTTP/1.1\r\n";
const std::string k_chunked = k_post + "Transfer-Encoding: chunked\r\n\r\n";

} // namespace

TEST_CASE("a request is framed alike however its bytes arrive") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", ""},
        {"\r\nGET /a HTTP/1.1\r\n\r\n", ""},
        {k_post + "Content-Length: 5\r\n\r\nhello", "hello"},
        {k_post + "content-length:16 \r\n\r\n0123456789abcdef", "0123456789abcdef"},
        {k_chunked + "5\r\nhello\r\n0\r\n\r\n", "hello"},
        {k_chunked + "2;x=y\r\nhe\r\n003\r\nllo\r\n0\r\nX: y\r\n\r\n", "hello"},
        {k_chunked + "A\r\n0123456789\r\n6\r\nabcdef\r\n00\r\n\r\n", "0123456789abcdef"},
    };
    for (const auto& [bytes, body] : cases) {
        for (const std::size_t piece : {std::size_t(1), std::size_t(7), bytes.size()}) {
            CAPTURE(bytes, piece);
            const Framed framed = frame(bytes, piece);
            CHECK(framed.state == RequestFramer::State::complete);
            CHECK(framed.request.target == "/a");
            CHECK(framed.request.body == body);
            CHECK(framed.rest.empty());
            CHECK_FALSE(framed.request.close);
        }
    }
}

TEST_CASE("what two servers could read in two ways is refused") {
    const std::vector<std::pair<int, std::string>> cases{
        {400, "GET /a\r\n\r\n"},
        {400, "GET  /a HTTP/1.1\r\n\r\n"},
        {400, "GET /a b HTTP/1.1\r\n\r\n"},
        {400, "GET /a HTTP/1.1 \r\n\r\n"},
        {400, "G(T /a HTTP/1.1\r\n\r\n"},
        {400, "GET /a\tb HTTP/1.1\r\n\r\n"},
        {400, "GET /\xc3\xa4 HTTP/1.1\r\n\r\n"},
        {400, "GET http://x/a HTTP/1.1\r\n\r\n"},
        {400, "OPTIONS * HTTP/1.1\r\n\r\n"},
        {400, "CONNECT x:80 HTTP/1.1\r\n\r\n"},
        {400, "GET /a#b HTTP/1.1\r\n\r\n"},
        {400, "GET /a HTTP/1.1\n\n"},
        {400, "GET /a HTTP/1.1\r\nX: y\n\r\n"},
        {400, "GET /a HTTP/1.1\r\nX: y\rz\r\n\r\n"},
        {400, "GET /a HTTP/1.1\r\nX : y\r\n\r\n"},
        {400, "GET /a HTTP/1.1\r\n X: y\r\n\r\n"},
        {400, "GET /a HTTP/1.1\r\nX: y\r\n z\r\n\r\n"},
        {400, "GET /a HTTP/1.1\r\nX\r\n\r\n"},
        {400, std::string("GET /a HTTP/1.1\r\nX: a\0b\r\n\r\n", 27)},
        {400, "GET /a HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"},
        {400, k_post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"},
        {400, k_post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n"},
        {400, k_post + "Content-Length: 1, 1\r\n\r\n"},
        {400, k_post + "Content-Length: +1\r\n\r\n"},
        {400, k_post + "Content-Length: -1\r\n\r\n"},
        {400, k_post + "Content-Length: 0x1\r\n\r\n"},
        {400, k_post + "Content-Length:\r\n\r\n"},
        {413, k_post + "Content-Length: 17\r\n\r\n"},
        {413, k_post + "Content-Length: 99999999999999999999999999\r\n\r\n"},
        {400, k_post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {400, k_post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"},
        {400, k_post + "Transfer-Encoding: gzip, chunked\r\n\r\n"},
        {400, k_post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {400, k_post + "Transfer-Encoding: identity\r\n\r\n"},
        {400, k_post + "Transfer-Encoding: \vchunked\r\n\r\n"},
        {400, "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {400, k_chunked + "x\r\n"},
        {400, k_chunked + "\r\n"},
        {400, k_chunked + "-1\r\n"},
        {400, k_chunked + "0x1\r\na\r\n"},
        {400, k_chunked + "5\nhello\r\n"},
        {400, k_chunked + "2\r\nhello\r\n"},
        {400, k_chunked + "fffffffffffffffff\r\n"},
        {413, k_chunked + "ffffffffffffffff\r\n"},
        {413, k_chunked + "11\r\n"},
        {413, k_chunked + "9\r\n012345678\r\n8\r\n"},
        {415, k_post + "Content-Encoding: gzip\r\n\r\n"},
        {417, k_post + "Expect: tea\r\n\r\n"},
        {505, "GET /a HTTP/2.0\r\n\r\n"},
        {400, "GET /a XTTP/1.1\r\n\r\n"},
    };
    for (const auto& [status, bytes] : cases) {
        for (const std::size_t piece : {std::size_t(1), bytes.size()}) {
            CAPTURE(bytes, piece);
            const Framed framed = frame(bytes, piece);
            CHECK(framed.state == RequestFramer::State::refused);
            CHECK(framed.refusal.status == status);
            CHECK_FALSE(framed.refusal.sentence.empty());
        }
    }
}

TEST_CASE("endless lines, headers and chunk extensions are refused before they end") {
    CHECK(frame("GET /" + std::string(100, 'a'), 1).refusal.status == 414);
    CHECK(frame("GET /a HTTP/1.1\r\nX: " + std::string(100, 'a'), 1).refusal.status == 431);

    std::string many = "GET /a HTTP/1.1\r\n";
    for (int count = 0; count < 7; ++count) {
        many += "X: y\r\n";
    }
    CHECK(frame(many, 1).refusal.status == 431);

    std::string large = "GET /a HTTP/1.1\r\n";
    for (int count = 0; count < 5; ++count) {
        large += "X: " + std::string(50, 'y') + "\r\n";
    }
    CHECK(frame(large, 1).refusal.status == 431);

    std::string empty_lines;
    for (int count = 0; count < 200; ++count) {
        empty_lines += "\r\n";
    }
    CHECK(frame(empty_lines, 1).refusal.status == 431);

    std::string trailers = k_chunked + "0\r\n";
    for (int count = 0; count < 7; ++count) {
        trailers += "X: y\r\n";
    }
    CHECK(frame(trailers, 1).refusal.status == 431);

    RequestFramer framer(small_limits());
    std::string input = k_chunked;
    auto state = framer.advance(input);
    for (int count = 0; count < 16 && state == RequestFramer::State::more; ++count) {
        input += "1;" + std::string(50, 'x') + "\r\na\r\n";
        state = framer.advance(input);
    }
    CHECK(state == RequestFramer::State::refused);
    CHECK(framer.refusal().status == 413);
}

TEST_CASE("what follows a request is left for the next one") {
    const std::string second = "GET /b HTTP/1.1\r\n\r\n";
    const auto bytes = k_post + "Content-Length: 2\r\n\r\nok" + second;
    const Framed framed = frame(bytes, bytes.size());
    CHECK(framed.request.body == "ok");
    CHECK(framed.rest == second);
}

TEST_CASE("a request says whether its connection ends, and who is behind a proxy") {
    const auto request = [](const std::string& version, const std::string& headers) {
        const std::string bytes = "GET /a HTTP/" + version + "\r\n" + headers + "\r\n";
        return frame(bytes, bytes.size()).request;
    };
    CHECK(request("1.0", "").close);
    CHECK(request("1.1", "Connection: close\r\n").close);
    CHECK(request("1.1", "connection: keep-alive, Close\r\n").close);
    CHECK_FALSE(request("1.1", "Connection: closed\r\n").close);
    CHECK_FALSE(request("1.1", "").forwarded_for);
    CHECK(request("1.1", "X-Forwarded-For: 1.2.3.4\r\n").forwarded_for == "1.2.3.4");
    CHECK(request("1.1", "X-Forwarded-For: 6.6.6.6, 1.2.3.4\r\n").forwarded_for == "1.2.3.4");
    CHECK(
        request("1.1", "X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n").forwarded_for ==
        "2.2.2.2");
}

TEST_CASE("a go-ahead is asked for once, and only while a body is awaited") {
    RequestFramer framer(small_limits());
    std::string input = k_post + "Expect: 100-continue\r\nContent-Length: 2\r\n";
    CHECK(framer.advance(input) == RequestFramer::State::more);
    input += "\r\n";
    CHECK(framer.advance(input) == RequestFramer::State::more);
    CHECK(framer.take_continue());
    CHECK_FALSE(framer.take_continue());

    RequestFramer without_body(small_limits());
    std::string head = k_post + "Expect: 100-continue\r\n\r\n";
    CHECK(without_body.advance(head) == RequestFramer::State::complete);
    CHECK_FALSE(without_body.take_continue());
}
