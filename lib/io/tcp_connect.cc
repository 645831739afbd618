#include "io/tcp_connect.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

namespace losos {

UniqueFd begin_connecting(const std::string& address, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
        return {};
    }
    UniqueFd fd(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (fd) {
        const int on = 1;
        setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connect(fd.get(), found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS) {
            fd.reset();
        }
    }
    freeaddrinfo(found);
    return fd;
}

bool has_connected(const UniqueFd& socket) {
    int fault = 0;
    socklen_t size = sizeof fault;
    return getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &fault, &size) == 0 && fault == 0;
}

} // namespace losos
