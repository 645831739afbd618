#include "io/http_client.h"

#include "io/http_server.h"
#include "raw_client.h"
#include "support/catch.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

using namespace losos;
using namespace losos::test;

namespace {

HttpTarget loopback(std::uint16_t port) {
    return {false, "127.0.0.1", port};
}

HttpBounds bounds_of(int total_ms, std::size_t bytes = 256 * 1024) {
    HttpBounds bounds;
    bounds.total = Duration(total_ms);
    bounds.body_bytes = bytes;
    return bounds;
}

// Asks a server that behaves as `serve` says.
Result<HttpAnswer> ask(const HttpBounds& bounds,
                       const std::function<void(const UniqueFd&)>& serve) {
    const RawServer server;
    std::thread thread([&] { serve(server.accept_request()); });
    auto answer = http_get(loopback(server.port()), "/x", bounds);
    thread.join();
    return answer;
}

std::string what(const Result<HttpAnswer>& answer) {
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == Errc::no_answer);
    return answer.error().what;
}

} // namespace

TEST_CASE("a status line of any length is an answer or none, and nothing else happens") {
    for (const std::size_t length : {1'000U, 60'000U, 250'000U, 2'000'000U}) {
        CAPTURE(length);
        const auto answer = ask(bounds_of(5000), [&](const UniqueFd& peer) {
            send_all(peer,
                     "HTTP/1.1 200 " + std::string(length, 'a') + "\r\nContent-Length: 0\r\n\r\n");
        });
        CHECK((answer.has_value() || answer.error().code == Errc::no_answer));
    }
}

TEST_CASE("an answer has its status and body, whatever the status") {
    const auto server = *HttpServer::bind("127.0.0.1", 0, {});
    server->route("POST", "/echo",
                  [](const HttpRequest& request) { return json_reply(409, request.body); });
    server->route("GET", "/query", [](const HttpRequest& request) {
        return text_reply(200, request.query("nonce"));
    });
    server->start();
    const auto posted = http_post_json(loopback(server->port()), "/echo", "{\"a\": 1}", {});
    REQUIRE(posted);
    CHECK(posted->status == 409);
    CHECK(posted->body == "{\"a\": 1}");
    const auto got = http_get(loopback(server->port()), "/query?nonce=ab", {});
    REQUIRE(got);
    CHECK(got->body == "ab\n");
    const auto empty = http_post_json(loopback(server->port()), "/echo", "", {});
    REQUIRE(empty);
    CHECK(empty->body.empty());
}

TEST_CASE("a body larger than asked for fails, or is cut where the caller wants its beginning") {
    const auto serve = [](const UniqueFd& peer) {
        send_all(peer,
                 "HTTP/1.1 404 Not Found\r\nContent-Length: 3000\r\n\r\n" + std::string(3000, 'x'));
    };
    CHECK(what(ask(bounds_of(5000, 2000), serve)).find("answered more than") != std::string::npos);
    auto bounds = bounds_of(5000, 2000);
    bounds.surplus = Surplus::is_cut;
    const auto cut = ask(bounds, serve);
    REQUIRE(cut);
    CHECK(cut->status == 404);
    CHECK(cut->body == std::string(2000, 'x'));
}

TEST_CASE("IPv6 hosts are asked by their numeric address") {
    const auto server = HttpServer::bind("::1", 0, {});
    REQUIRE(server);
    (*server)->route("GET", "/health", [](const HttpRequest&) { return text_reply(200, "ok"); });
    (*server)->start();
    const auto answer = http_get({false, "::1", (*server)->port()}, "/health", {});
    REQUIRE(answer);
    CHECK(answer->body == "ok\n");
    const auto refused = http_get({false, "::1", unused_port()}, "/", {});
    CHECK(contains(what(refused), "http://[::1]:"));
}

TEST_CASE("a closed port and an unknown name are named as such") {
    const auto port = unused_port();
    CHECK(what(http_get(loopback(port), "/", {})) ==
          "http://127.0.0.1:" + std::to_string(port) + " did not answer: connection refused");
    const auto unknown = what(http_get({true, "box.invalid", 443}, "/", bounds_of(3000)));
    CHECK(starts_with(unknown, "https://box.invalid:443 did not answer: the name "));
}

TEST_CASE("silence, a slow body and slow headers all end at the deadline") {
    const auto begin = std::chrono::steady_clock::now();
    const auto trickle = [](const UniqueFd& peer, std::string_view start, std::string_view piece) {
        send_all(peer, start);
        while (send_all(peer, piece)) {
            std::this_thread::sleep_for(Milliseconds(10));
        }
    };
    const auto silent = ask(
        bounds_of(300), [](const UniqueFd&) { std::this_thread::sleep_for(Milliseconds(500)); });
    CHECK(contains(what(silent), " did not answer: no whole answer within 300ms"));
    const auto slow_body = ask(bounds_of(300), [&](const UniqueFd& peer) {
        trickle(peer, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x");
    });
    CHECK(contains(what(slow_body), "no whole answer"));
    const auto unbounded_body = ask(bounds_of(300), [&](const UniqueFd& peer) {
        trickle(peer, "HTTP/1.1 200 OK\r\n\r\n", "x");
    });
    CHECK(contains(what(unbounded_body), "no whole answer"));
    const auto slow_headers = ask(bounds_of(300), [&](const UniqueFd& peer) {
        trickle(peer, "HTTP/1.1 200 OK\r\n", "X: y\r\n");
    });
    CHECK(contains(what(slow_headers), "no whole answer"));
    CHECK(std::chrono::steady_clock::now() - begin < Milliseconds(4000));
}

TEST_CASE("an answer nobody waits for any more is given up long before its time is over") {
    std::atomic<bool> abandoned{false};
    auto bounds = bounds_of(60'000);
    bounds.abandoned = &abandoned;
    const auto begin = std::chrono::steady_clock::now();
    const auto silent = ask(bounds, [&](const UniqueFd& peer) {
        abandoned = true;
        while (send_all(peer, "HTTP/1.1 100 Continue\r\n\r\n")) {
            std::this_thread::sleep_for(Milliseconds(10));
        }
    });
    CHECK(contains(what(silent), " did not answer: it was not waited for"));
    const auto unknown = http_get({true, "box.invalid", 443}, "/", bounds);
    CHECK_FALSE(unknown.has_value());
    CHECK(std::chrono::steady_clock::now() - begin < Milliseconds(30'000));
}

TEST_CASE("an answer with too large a body or too many headers is cut") {
    const auto exact = ask(bounds_of(5000, 1000), [](const UniqueFd& peer) {
        send_all(peer, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x'));
    });
    REQUIRE(exact);
    CHECK(exact->body.size() == 1000);
    for (const std::string head : {"Content-Length: 1001\r\n\r\n", "\r\n"}) {
        const auto larger = ask(bounds_of(5000, 1000), [&](const UniqueFd& peer) {
            send_all(peer, "HTTP/1.1 200 OK\r\n" + head + std::string(1001, 'x'));
        });
        CHECK(contains(what(larger), " answered more than 1000 bytes"));
    }
    const auto headers = ask(bounds_of(5000, 1000), [](const UniqueFd& peer) {
        send_all(peer, "HTTP/1.1 200 OK\r\n");
        while (send_all(peer, "X: " + std::string(4000, 'y') + "\r\n")) {
        }
    });
    CHECK(contains(what(headers), " answered more than 1000 bytes"));
}

TEST_CASE("redirects are answers, and encoded bodies stay as they are") {
    const auto redirect = ask({}, [](const UniqueFd& peer) {
        send_all(peer, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n"
                       "Content-Length: 0\r\n\r\n");
    });
    REQUIRE(redirect);
    CHECK(redirect->status == 302);
    const auto encoded = ask({}, [](const UniqueFd& peer) {
        send_all(peer, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc");
    });
    REQUIRE(encoded);
    CHECK(encoded->body == "abc");
}

TEST_CASE("half an answer and nonsense are no answer") {
    for (const std::string bytes : {"", "HTT", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
                                    "HTTP/1.1 200 OK\r\nX: y"}) {
        CAPTURE(bytes);
        const auto answer = ask({}, [&](const UniqueFd& peer) { send_all(peer, bytes); });
        CHECK(contains(what(answer), "it ended the connection without a whole answer"));
    }
    for (const std::string bytes : {"nonsense\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "HTTX"}) {
        CAPTURE(bytes);
        const auto answer = ask({}, [&](const UniqueFd& peer) { send_all(peer, bytes); });
        CHECK(contains(what(answer), "what it said is not HTTP"));
    }
}

TEST_CASE("https to a peer that speaks no TLS fails and does not hang") {
    const RawServer server;
    std::thread thread([&] { send_all(server.accept_request(), "HTTP/1.1 400 Bad\r\n\r\n"); });
    const auto answer = http_get({true, "127.0.0.1", server.port()}, "/", bounds_of(1000));
    CHECK(contains(what(answer), "https://127.0.0.1:"));
    thread.join();
}
