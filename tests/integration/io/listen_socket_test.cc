#include "io/listen_socket.h"

#include "support/catch.h"

#include <sys/socket.h>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <fstream>

using namespace losos;

TEST_CASE("a port is listened on while a socket listens there, on its own address or on all") {
    const auto* const address = GENERATE("127.0.0.1", "0.0.0.0", "::");
    std::uint16_t port = 0;
    {
        const auto listening = listen_on(address, 0);
        REQUIRE(listening);
        port = bound_port(*listening);
        CHECK(is_listened_on(port));
        CHECK(is_listened_on(port));
    }
    CHECK_FALSE(is_listened_on(port));
}

TEST_CASE("looking at a port keeps nobody from listening there") {
    const UniqueFd reserved(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    REQUIRE(setsockopt(reserved.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(bind(reserved.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    const auto port = bound_port(reserved);
    CHECK_FALSE(is_listened_on(port));
    const auto listening = listen_on("127.0.0.1", port);
    CHECK(listening);
    CHECK(is_listened_on(port));
}

TEST_CASE("the queue of who wants in is as long as the kernel allows, or 4,096") {
    std::ifstream file("/proc/sys/net/core/somaxconn");
    unsigned allowed = 0;
    REQUIRE(file >> allowed);
    const auto listening = listen_on("127.0.0.1", 0);
    REQUIRE(listening);
    // Of a listening socket the kernel tells its longest queue here.
    tcp_info info{};
    socklen_t size = sizeof info;
    REQUIRE(getsockopt(listening->get(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0);
    CHECK(info.tcpi_sacked == std::min(allowed, 4096U));
}
