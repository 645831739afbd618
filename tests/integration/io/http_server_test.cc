#include "io/http_server.h"

#include "raw_client.h"
#include "support/catch.h"

#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace losos;
using namespace losos::test;

namespace {

constexpr std::size_t k_cap = 64 * 1024;

HttpReply echo(const HttpRequest& request) {
    return text_reply(200, request.body);
}

std::unique_ptr<HttpServer> echo_server(const HttpLimits& limits = {}) {
    auto server = *HttpServer::bind("127.0.0.1", 0, limits);
    server->route("POST", "/echo", echo);
    server->route("GET", "/health", [](const HttpRequest&) { return text_reply(200, "ok"); });
    server->route("GET", "/empty", [](const HttpRequest&) { return HttpReply{204, {}, {}}; });
    server->route("GET", "/json", [](const HttpRequest&) { return json_reply(200, "{}"); });
    server->route("GET", "/query", [](const HttpRequest& request) {
        return text_reply(200, request.query("a") + "|" + request.query("b"));
    });
    server->route("GET", "/throws",
                  [](const HttpRequest&) -> HttpReply { throw std::runtime_error("a secret"); });
    server->route("GET", "/large", [](const HttpRequest&) {
        return HttpReply{200, std::string(32 * 1024 * 1024, 'x')};
    });
    server->start();
    return server;
}

std::string get(const std::string& path, const std::string& headers = {}) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
}

std::string post(const std::string& path, const std::string& headers, const std::string& body) {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string ask_once(std::uint16_t port, const std::string& request) {
    RawClient client(port);
    client.send(request);
    return client.response();
}

std::string chunked(const std::string& body, std::size_t piece) {
    std::string bytes = "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (std::size_t at = 0; at < body.size(); at += piece) {
        const auto part = body.substr(at, piece);
        char size[16];
        std::snprintf(size, sizeof size, "%zx\r\n", part.size());
        bytes += size + part + "\r\n";
    }
    return bytes + "0\r\n\r\n";
}

} // namespace

TEST_CASE("a connection serves any number of requests") {
    const auto server = echo_server();
    RawClient client(server->port());
    for (int count = 0; count < 20; ++count) {
        client.send(post("/echo", {}, std::to_string(count)));
        const auto response = client.response();
        CHECK(starts_with(response, "HTTP/1.1 200 OK\r\n"));
        CHECK(contains(response, "\r\n\r\n" + std::to_string(count) + "\n"));
    }
    CHECK(server->counters().requests == 20);
    CHECK(server->counters().connections == 1);
}

TEST_CASE("every answer says what time it is") {
    const auto server = echo_server();
    for (const auto* path : {"/health", "/empty", "/nowhere"}) {
        const auto answer = ask_once(server->port(), get(path));
        const auto at = answer.find("\r\nDate: ");
        REQUIRE(at != std::string::npos);
        CHECK(answer.substr(answer.find("\r\n", at + 2) - 4, 4) == " GMT");
    }
}

TEST_CASE("pipelined requests are answered in order") {
    const auto server = echo_server();
    RawClient client(server->port());
    client.send(post("/echo", {}, "first") + get("/empty") + get("/health") + chunked("last", 2));
    CHECK(contains(client.response(), "first"));
    CHECK(starts_with(client.response(), "HTTP/1.1 204"));
    CHECK(contains(client.response(), "\r\n\r\nok\n"));
    CHECK(contains(client.response(), "last"));
}

TEST_CASE("a request the caller wants to be the last one is") {
    const auto server = echo_server();
    for (const std::string& request :
         {get("/health", "Connection: close\r\n"), std::string("GET /health HTTP/1.0\r\n\r\n")}) {
        RawClient client(server->port());
        client.send(request);
        CHECK(contains(client.response(), "Connection: close\r\n"));
        CHECK(client.time_to_close());
    }
}

TEST_CASE("paths and methods that are not there are answered 404 and 405") {
    const auto server = echo_server();
    const auto port = server->port();
    const auto missing = ask_once(port, get("/nothing"));
    CHECK(starts_with(missing, "HTTP/1.1 404 Not Found\r\n"));
    CHECK(contains(missing, "\r\n\r\nthere is nothing at this path\n"));
    CHECK(starts_with(ask_once(port, get("/health/")), "HTTP/1.1 404"));
    for (const std::string method : {"GET", "PUT", "OPTIONS", "TRACE"}) {
        const auto response = ask_once(port, method + " /echo HTTP/1.1\r\n\r\n");
        CAPTURE(method);
        CHECK(starts_with(response, "HTTP/1.1 405 Method Not Allowed\r\n"));
        CHECK(contains(response, "\r\nAllow: POST\r\n"));
    }
}

TEST_CASE("HEAD is GET without the body") {
    const auto server = echo_server();
    RawClient client(server->port());
    for (const std::string path : {"/health", "/nothing"}) {
        client.send("HEAD " + path + " HTTP/1.1\r\n\r\n");
        CHECK(contains(client.head(), "\r\nContent-Length: "));
    }
    client.send(get("/health"));
    CHECK(starts_with(client.response(), "HTTP/1.1 200 OK\r\n"));
}

TEST_CASE("responses say what they must and nothing of the library") {
    const auto server = echo_server();
    const auto json = ask_once(server->port(), get("/json"));
    CHECK(contains(json, "\r\nContent-Type: application/json\r\n"));
    const auto empty = ask_once(server->port(), get("/empty"));
    CHECK(empty.starts_with("HTTP/1.1 204 No Content\r\nDate: "));
    CHECK(empty.ends_with(" GMT\r\n\r\n"));
    CHECK(empty.find("Content-") == std::string::npos);
    for (const auto& response : {json, ask_once(server->port(), get("/health"))}) {
        CHECK_FALSE(contains(response, "Server:"));
        CHECK_FALSE(contains(response, "httplib"));
        CHECK_FALSE(contains(response, "Keep-Alive:"));
    }
}

TEST_CASE("headers that libraries act upon change nothing") {
    const auto server = echo_server();
    for (const std::string header :
         {"Accept-Encoding: gzip, br\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n"}) {
        CAPTURE(header);
        const auto response = ask_once(server->port(), get("/health", header));
        CHECK(starts_with(response, "HTTP/1.1 200 OK\r\n"));
        CHECK(contains(response, "\r\n\r\nok\n"));
    }
}

TEST_CASE("query parameters are decoded and absent ones are empty") {
    const auto server = echo_server();
    CHECK(contains(ask_once(server->port(), get("/query?a=1%202")), "\r\n\r\n1 2|\n"));
    CHECK(contains(ask_once(server->port(), get("/query?b=%zz&a")), "|%zz\n"));
}

TEST_CASE("what a route throws is an internal fault that tells nothing") {
    const auto server = echo_server();
    RawClient client(server->port());
    client.send(get("/throws") + get("/health"));
    const auto response = client.response();
    CHECK(starts_with(response, "HTTP/1.1 500 "));
    CHECK(contains(response, "\r\n\r\ninternal fault\n"));
    CHECK_FALSE(contains(response, "secret"));
    CHECK(starts_with(client.response(), "HTTP/1.1 200 OK"));
}

TEST_CASE("a body at the cap is read and one byte more is answered 413") {
    const auto server = echo_server();
    const auto port = server->port();
    const std::string full(k_cap, 'a');
    const std::string form = "Content-Type: application/x-www-form-urlencoded\r\n";
    for (const std::string& type : {std::string(), form}) {
        CAPTURE(type);
        CHECK(contains(ask_once(port, post("/echo", type, full)), full + "\n"));
        CHECK(starts_with(ask_once(port, post("/echo", type, full + "a")), "HTTP/1.1 413 "));
    }
    CHECK(contains(ask_once(port, chunked(full, 4000)), full + "\n"));
    CHECK(contains(ask_once(port, chunked(full, 1)), full + "\n"));
    CHECK(starts_with(ask_once(port, chunked(full + "a", 4000)), "HTTP/1.1 413 "));
}

TEST_CASE("a Range of any length is refused and nothing else happens") {
    const auto server = echo_server();
    for (const std::string& range :
         {std::string("bytes=0-0"), "bytes=" + std::string(2000, '1') + "-",
          "bytes=0-1" + std::string(3000, ',')}) {
        for (const std::string name : {"Range: ", "range:", "RANGE: "}) {
            const auto response = ask_once(server->port(), get("/health", name + range + "\r\n"));
            CHECK(starts_with(response, "HTTP/1.1 400 "));
        }
    }
    CHECK(starts_with(ask_once(server->port(), get("/health", "X-Range: bytes=0-0\r\n")),
                      "HTTP/1.1 200 "));
}

TEST_CASE("a chunk's extensions without end are cut off") {
    const auto server = echo_server();
    RawClient client(server->port());
    client.send("POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=" +
                std::string(2 * 1024 * 1024, 'x'));
    const auto response = client.response();
    CHECK((starts_with(response, "HTTP/1.1 413 ") || starts_with(response, "HTTP/1.1 400 ")));
    CHECK(client.time_to_close());
}

TEST_CASE("a caller that sends far too much still reads the 413") {
    const auto server = echo_server();
    RawClient client(server->port());
    client.send(post("/echo", {}, std::string(8 * 1024 * 1024, 'a')));
    CHECK(starts_with(client.response(), "HTTP/1.1 413 "));
    CHECK(client.time_to_close());
}

TEST_CASE("an encoded or multipart body is refused, not unpacked") {
    const auto server = echo_server();
    const std::string parts = "Content-Type: multipart/form-data; boundary=b\r\n";
    CHECK(
        starts_with(ask_once(server->port(), post("/echo", parts, "--b--\r\n")), "HTTP/1.1 415 "));
    for (const std::string coding : {"gzip", "br", "deflate", "gzip, gzip"}) {
        const auto response = ask_once(
            server->port(), post("/echo", "Content-Encoding: " + coding + "\r\n", "\x1f\x8b"));
        CHECK(starts_with(response, "HTTP/1.1 415 "));
    }
}

TEST_CASE("what could smuggle a second request is refused and ends the connection") {
    const auto server = echo_server();
    const std::string hidden = get("/health");
    for (const std::string& request :
         {"POST /echo HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\n" + hidden,
          "POST /echo HTTP/1.1\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n" + hidden,
          "POST /echo HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n" + hidden,
          "GET http://x/health HTTP/1.1\r\n\r\n" + hidden,
          "GET /health HTTP/1.1\r\nContent-Length: " + std::to_string(hidden.size()) + "\r\n\r\n" +
              hidden,
          "POST /echo HTTP/1.1\r\nContent-Length: +2\r\n\r\nok" + hidden,
          "POST /echo HTTP/1.1\r\nContent-Length : 2\r\n\r\nok" + hidden,
          "GET /health HTTP/1.1\r\nX: y\r\n folded: z\r\n\r\n" + hidden,
          "GET /health HTTP/1.1\r\nX: y\n\r\n" + hidden}) {
        CAPTURE(request);
        RawClient client(server->port());
        client.send(request);
        const auto response = client.response();
        CHECK(starts_with(response, "HTTP/1.1 400 Bad Request\r\n"));
        CHECK(contains(response, "Connection: close\r\n"));
        CHECK(client.response().empty());
    }
}

TEST_CASE("a caller that waits for a go-ahead gets it before it sends the body") {
    const auto server = echo_server();
    RawClient client(server->port());
    client.send("POST /echo HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    CHECK(client.head() == "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("ok");
    CHECK(contains(client.response(), "\r\n\r\nok\n"));

    RawClient large(server->port());
    large.send("POST /echo HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999\r\n\r\n");
    CHECK(starts_with(large.response(), "HTTP/1.1 413 "));
}

TEST_CASE("the address to listen on is checked in plain words") {
    const auto first = *HttpServer::bind("127.0.0.1", 0, {});
    const auto second = HttpServer::bind("127.0.0.1", first->port(), {});
    REQUIRE_FALSE(second);
    CHECK(contains(second.error().what, "another program listens there already"));
    const auto name = HttpServer::bind("localhost", 0, {});
    REQUIRE_FALSE(name);
    CHECK(name.error().what == "\"localhost\" is not a numeric address");
    const auto foreign = HttpServer::bind("198.51.100.1", 0, {});
    REQUIRE_FALSE(foreign);
    CHECK(contains(foreign.error().what, "no interface of this machine has that address"));
}

TEST_CASE("stop() ends idle connections at once and lets a request in flight finish") {
    auto server = *HttpServer::bind("127.0.0.1", 0, {});
    std::atomic<bool> entered = false;
    std::atomic<bool> leave = false;
    server->route("GET", "/slow", [&](const HttpRequest&) {
        entered = true;
        comes_true([&] { return leave.load(); });
        return text_reply(200, "finished");
    });
    server->start();
    RawClient silent(server->port());
    RawClient idle(server->port());
    idle.send(get("/nothing"));
    CHECK(starts_with(idle.response(), "HTTP/1.1 404"));
    RawClient busy(server->port());
    busy.send(get("/slow"));
    REQUIRE(comes_true([&] { return entered && server->counters().connections == 3; }));

    std::thread stopper([&] { server->stop(); });
    CHECK(silent.time_to_close());
    CHECK(idle.time_to_close());
    CHECK(server->counters().in_flight == 1);
    CHECK(comes_true([&] { return !RawClient(server->port()).is_connected(); }));
    leave = true;
    const auto response = busy.response();
    CHECK(contains(response, "finished\n"));
    CHECK(busy.time_to_close());
    stopper.join();
    CHECK(server->counters().connections == 0);
}
