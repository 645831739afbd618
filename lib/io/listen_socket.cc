#include "io/listen_socket.h"

#include "base/format.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace losos {

namespace {

// As long as kernels allow: where a queue is full, a newcomer is only heard a second later.
constexpr int k_backlog = 4096;

struct AddressesFree {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

std::string cause_of(int number) {
    switch (number) {
    case EADDRINUSE:
        return "another program listens there already";
    case EADDRNOTAVAIL:
        return "no interface of this machine has that address";
    case EACCES:
        return "a port below 1024 needs CAP_NET_BIND_SERVICE";
    default:
        return std::generic_category().message(number);
    }
}

} // namespace

Result<UniqueFd> listen_on(const std::string& address, std::uint16_t port) {
    const bool v6 = address.find(':') != std::string::npos;
    const auto name = v6 ? format("[{}]:{}", address, port) : format("{}:{}", address, port);

    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
        return fail(Errc::usage, "\"{}\" is not a numeric address", address);
    }
    const std::unique_ptr<addrinfo, AddressesFree> list(found);

    const auto failed = [&] {
        return fail(Errc::failed, "cannot listen on {}: {}", name, cause_of(errno));
    };
    UniqueFd fd(socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) {
        return failed();
    }
    const int on = 1;
    const int off = 0;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (list->ai_family == AF_INET6) {
        setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    if (bind(fd.get(), list->ai_addr, list->ai_addrlen) != 0 || listen(fd.get(), k_backlog) != 0) {
        return failed();
    }
    return fd;
}

bool is_listened_on(std::uint16_t port) {
    const UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // With this option only a listening socket is in the way, and this one in nobody's.
    const int on = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return fd && bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
           errno == EADDRINUSE;
}

std::uint16_t bound_port(const UniqueFd& socket) {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size);
    sockaddr_in as_v4{};
    sockaddr_in6 as_v6{};
    std::memcpy(&as_v4, &bound, sizeof as_v4);
    std::memcpy(&as_v6, &bound, sizeof as_v6);
    return ntohs(bound.ss_family == AF_INET6 ? as_v6.sin6_port : as_v4.sin_port);
}

} // namespace losos
