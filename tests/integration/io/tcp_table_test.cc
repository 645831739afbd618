#include "io/tcp_table.h"

#include "io/listen_socket.h"

#include "support/catch.h"

#include <sys/socket.h>

#include <netinet/in.h>

using namespace losos;

namespace {

UniqueFd connect_to(std::uint16_t port) {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return fd;
}

bool is_connected(std::uint16_t port) {
    const auto ports = connected_loopback_ports();
    REQUIRE(ports);
    return ports->count(port) > 0;
}

} // namespace

TEST_CASE("a port counts as connected while a connection to it is open") {
    const auto listening = listen_on("127.0.0.1", 0);
    REQUIRE(listening);
    const auto port = bound_port(*listening);
    CHECK_FALSE(is_connected(port));
    auto caller = connect_to(port);
    UniqueFd called(accept4(listening->get(), nullptr, nullptr, SOCK_CLOEXEC));
    REQUIRE(called);
    CHECK(is_connected(port));
    SECTION("the caller closes") {
        caller = UniqueFd();
        CHECK_FALSE(is_connected(port));
    }
    SECTION("the one called closes") {
        called = UniqueFd();
        CHECK_FALSE(is_connected(port));
    }
}

TEST_CASE("a connection outlives the socket that was listened on, and still counts") {
    auto listening = listen_on("127.0.0.1", 0);
    REQUIRE(listening);
    const auto port = bound_port(*listening);
    const auto caller = connect_to(port);
    const UniqueFd called(accept4(listening->get(), nullptr, nullptr, SOCK_CLOEXEC));
    *listening = UniqueFd();
    CHECK(is_connected(port));
}
