// The bounds on time and numbers.
#include "io/http_server.h"

#include "raw_client.h"
#include "support/catch.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace losos;
using namespace losos::test;

namespace {

constexpr std::string_view k_busy = "\r\n\r\nbusy; retry later\n";

// A server whose /wait answers only once it is let go.
struct WaitingServer {
    std::atomic<int> waiting = 0;
    std::atomic<bool> let_go = false;
    std::unique_ptr<HttpServer> server;

    explicit WaitingServer(const HttpLimits& limits, const std::string& address = "127.0.0.1")
        : server(*HttpServer::bind(address, 0, limits)) {
        server->route("GET", "/wait", [this](const HttpRequest&) {
            ++waiting;
            comes_true([this] { return let_go.load(); }, Milliseconds(20000));
            --waiting;
            return text_reply(200, "done");
        });
        server->route("GET", "/health", [](const HttpRequest&) { return text_reply(200, "ok"); });
        server->route("GET", "/large", [](const HttpRequest&) {
            return HttpReply{200, std::string(32 * 1024 * 1024, 'x')};
        });
        server->route("POST", "/echo",
                      [](const HttpRequest& request) { return text_reply(200, request.body); });
        server->start();
    }
    ~WaitingServer() { let_go = true; }

    std::uint16_t port() const { return server->port(); }
    bool has_waiting(int count) {
        return comes_true([&] { return waiting == count; });
    }
    bool has_connections(int count) {
        return comes_true([&] { return server->counters().connections == count; });
    }
};

std::string get(const std::string& path, const std::string& forwarded = {}) {
    return "GET " + path + " HTTP/1.1\r\n" +
           (forwarded.empty() ? "" : "X-Forwarded-For: " + forwarded + "\r\n") + "\r\n";
}

long entries_of(const char* directory) {
    return std::distance(std::filesystem::directory_iterator(directory), {});
}

// Sends a byte at a time until the server hangs up; how long that took.
Milliseconds trickle(std::uint16_t port, const std::string& start, char byte) {
    RawClient client(port);
    const auto begin = std::chrono::steady_clock::now();
    client.send(start);
    while (client.send(std::string(1, byte)) && !client.time_to_close(Milliseconds(20))) {
    }
    return std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - begin);
}

} // namespace

TEST_CASE("no caller holds a connection longer than one request may take") {
    HttpLimits limits;
    limits.per_request = Duration(700);
    WaitingServer bounded(limits);
    const auto port = bounded.port();
    const std::string post = "POST /echo HTTP/1.1\r\n";
    const std::vector<std::function<Milliseconds()>> callers{
        [&] { return *RawClient(port).time_to_close(); },
        [&] { return trickle(port, "", 'G'); },
        [&] { return trickle(port, "GET /health HTTP/1.1\r\nX: ", 'y'); },
        [&] { return trickle(port, post + "Content-Length: 60000\r\n\r\n", 'y'); },
        [&] { return trickle(port, post + "Transfer-Encoding: chunked\r\n\r\n", '0'); },
        [&] {
            RawClient client(port);
            client.send(get("/health"));
            client.response();
            return *client.time_to_close();
        },
    };
    std::vector<Milliseconds> held(callers.size());
    std::vector<std::thread> threads;
    for (std::size_t at = 0; at < callers.size(); ++at) {
        threads.emplace_back([&, at] { held[at] = callers[at](); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t at = 0; at < callers.size(); ++at) {
        CAPTURE(at);
        CHECK(held[at] >= Milliseconds(650));
        CHECK(held[at] < Milliseconds(2500));
    }
    CHECK(bounded.has_connections(0));
}

TEST_CASE("a caller that does not read its answer is cut off") {
    HttpLimits limits;
    limits.per_request = Duration(700);
    WaitingServer bounded(limits);
    RawClient client(bounded.port());
    const auto begin = std::chrono::steady_clock::now();
    client.send(get("/large"));
    CHECK(starts_with(client.head(), "HTTP/1.1 200"));
    CHECK(bounded.has_connections(0));
    const auto held = std::chrono::steady_clock::now() - begin;
    CHECK(held >= Milliseconds(650));
    CHECK(held < Milliseconds(2500));
}

TEST_CASE("a request that is late is told so") {
    HttpLimits limits;
    limits.per_request = Duration(300);
    WaitingServer bounded(limits);
    RawClient client(bounded.port());
    client.send("GET /health HTTP/1.1\r\n");
    CHECK(starts_with(client.response(), "HTTP/1.1 408 Request Timeout\r\n"));
}

TEST_CASE("a request past those in flight is told to retry, silent connections do not count") {
    HttpLimits limits;
    limits.requests_in_flight = 4;
    WaitingServer bounded(limits);
    std::list<RawClient> silent;
    std::list<RawClient> waiting;
    for (int count = 0; count < 10; ++count) {
        silent.emplace_back(bounded.port());
        silent.back().send("GET /wait HTTP/1.1\r\nX: ");
    }
    for (int count = 0; count < 4; ++count) {
        waiting.emplace_back(bounded.port()).send(get("/wait"));
    }
    REQUIRE(bounded.has_waiting(4));
    CHECK_FALSE(bounded.server->counters().last_shed);
    RawClient client(bounded.port());
    client.send(get("/health"));
    const auto response = client.response();
    CHECK(starts_with(response, "HTTP/1.1 503 Service Unavailable\r\n"));
    CHECK(contains(response, k_busy));
    CHECK(bounded.server->counters().shed == 1);
    CHECK(bounded.server->counters().last_shed);
    CHECK(bounded.server->counters().in_flight == 4);

    bounded.let_go = true;
    for (RawClient& each : waiting) {
        CHECK(contains(each.response(), "done\n"));
    }
    client.send(get("/health"));
    CHECK(contains(client.response(), "ok\n"));
}

TEST_CASE("behind a proxy each caller has its own share") {
    WaitingServer bounded({});
    std::list<RawClient> waiting;
    const auto fill = [&](const std::string& source) {
        for (int count = 0; count < 8; ++count) {
            waiting.emplace_back(bounded.port()).send(get("/wait", source));
        }
    };
    const auto status_for = [&](const std::string& source) {
        RawClient client(bounded.port());
        client.send(get("/health", source));
        return client.response().substr(9, 3);
    };
    fill("203.0.113.1");
    fill("2001:db8:0:1::1");
    fill("unknown");
    REQUIRE(bounded.has_waiting(24));
    CHECK(status_for("203.0.113.1") == "503");
    CHECK(status_for("203.0.113.2, 203.0.113.1") == "503");
    CHECK(status_for("::ffff:203.0.113.1") == "503");
    CHECK(status_for("203.0.113.1, 203.0.113.2") == "200");
    CHECK(status_for("2001:db8:0:1:ffff::2") == "503");
    CHECK(status_for("2001:db8:0:2::1") == "200");
    CHECK(status_for("nonsense") == "503");
    CHECK(status_for("") == "200");
    bounded.let_go = true;
    CHECK(bounded.has_waiting(0));
    CHECK(comes_true([&] { return status_for("203.0.113.1") == "200"; }));
}

TEST_CASE("a caller on this machine without a proxy has no share to keep to") {
    WaitingServer bounded({});
    std::list<RawClient> waiting;
    for (int count = 0; count < 60; ++count) {
        waiting.emplace_back(bounded.port()).send(get("/wait"));
    }
    CHECK(bounded.has_waiting(60));
}

TEST_CASE("a full house answers 503 without reading and has room again at once") {
    HttpLimits limits;
    limits.connections = 3;
    WaitingServer bounded(limits);
    std::list<RawClient> inside;
    for (int count = 0; count < 3; ++count) {
        inside.emplace_back(bounded.port());
    }
    REQUIRE(bounded.has_connections(3));
    for (const bool talks : {false, true}) {
        RawClient client(bounded.port());
        if (talks) {
            client.send("POST /echo HTTP/1.1\r\nContent-Length: 60000\r\n\r\n" +
                        std::string(60000, 'a'));
        }
        const auto response = client.response();
        CHECK(starts_with(response, "HTTP/1.1 503 Service Unavailable\r\n"));
        CHECK(contains(response, "Connection: close\r\n"));
        CHECK(contains(response, k_busy));
        CHECK(client.time_to_close());
    }
    CHECK(bounded.server->counters().shed == 2);
    inside.pop_front();
    REQUIRE(bounded.has_connections(2));
    RawClient client(bounded.port());
    client.send(get("/health"));
    CHECK(contains(client.response(), "ok\n"));
}

TEST_CASE("a crowd of refused connections is answered, every one, and leaves nothing behind") {
    HttpLimits limits;
    limits.connections = 1;
    WaitingServer bounded(limits);
    RawClient inside(bounded.port());
    REQUIRE(bounded.has_connections(1));
    const long before = entries_of("/proc/self/fd");
    std::list<RawClient> crowd;
    for (int count = 0; count < 400; ++count) {
        crowd.emplace_back(bounded.port()).send(get("/health"));
    }
    for (RawClient& client : crowd) {
        CHECK(contains(client.response(), k_busy));
    }
    CHECK(bounded.server->counters().shed == 400);
    crowd.clear();
    CHECK(comes_true([&] { return entries_of("/proc/self/fd") <= before; }));
}

TEST_CASE("many connections come and go and leave no descriptor and no thread behind") {
    WaitingServer bounded({});
    const long descriptors = entries_of("/proc/self/fd");
    for (int round = 0; round < 3; ++round) {
        std::list<RawClient> clients;
        for (int count = 0; count < 100; ++count) {
            clients.emplace_back(bounded.port()).send(get("/health"));
        }
        for (RawClient& client : clients) {
            CHECK(contains(client.response(), "ok\n"));
        }
    }
    REQUIRE(bounded.has_connections(0));
    CHECK(entries_of("/proc/self/fd") <= descriptors);
    bounded.server->stop();
    CHECK(comes_true([] { return entries_of("/proc/self/task") <= 2; }));
}

TEST_CASE("a source on the network has its share of connections, silent ones included",
          "[namespace]") {
    WaitingServer bounded({}, "::");
    const auto port = bounded.port();
    const auto status_from = [&](const std::string& from, const std::string& to) {
        RawClient client(port, to, from);
        client.send(get("/health", "203.0.113.77"));
        return client.response().substr(0, 12).substr(9);
    };
    std::list<RawClient> silent;
    for (int count = 0; count < 8; ++count) {
        silent.emplace_back(port, "192.0.2.1", "192.0.2.1");
        silent.emplace_back(port, "fd00:1::1", "fd00:1::1");
    }
    REQUIRE(bounded.has_connections(16));
    CHECK(status_from("192.0.2.1", "192.0.2.1") == "503");
    CHECK(status_from("192.0.2.2", "192.0.2.1") == "200");
    CHECK(status_from("fd00:1::2", "fd00:1::1") == "503");
    CHECK(status_from("fd00:2::1", "fd00:1::1") == "200");
    CHECK(status_from("127.0.0.1", "127.0.0.1") == "200");
    CHECK(status_from("::1", "::1") == "200");
    silent.clear();
    REQUIRE(bounded.has_connections(0));
    CHECK(status_from("192.0.2.1", "192.0.2.1") == "200");
}

TEST_CASE("a source at its share gives up its longest idle connection for a new one",
          "[namespace]") {
    WaitingServer bounded({}, "0.0.0.0");
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int count = 0; count < 8; ++count) {
        clients.push_back(std::make_unique<RawClient>(bounded.port(), "192.0.2.1", "192.0.2.1"));
        clients.back()->send(get(count == 0 ? "/wait" : "/health"));
        if (count > 0) {
            CHECK(contains(clients.back()->response(), "ok\n"));
            std::this_thread::sleep_for(Milliseconds(3));
        }
    }
    REQUIRE(bounded.has_waiting(1));
    RawClient newcomer(bounded.port(), "192.0.2.1", "192.0.2.1");
    newcomer.send(get("/health"));
    CHECK(contains(newcomer.response(), "ok\n"));
    CHECK(clients[1]->time_to_close());
    clients[2]->send(get("/health"));
    CHECK(contains(clients[2]->response(), "ok\n"));
    CHECK(bounded.server->counters().shed == 0);
    CHECK(bounded.server->counters().connections == 8);
    bounded.let_go = true;
    CHECK(contains(clients[0]->response(), "done\n"));
}
