#include "raw_client.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace losos::test {

namespace {

using Clock = std::chrono::steady_clock;

struct AddressesFree {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

void must(int result, const std::string& call) {
    if (result != 0) {
        throw std::runtime_error(call + " failed in a test's client");
    }
}

std::unique_ptr<addrinfo, AddressesFree> address_of(const std::string& host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    must(getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found), "getaddrinfo");
    return std::unique_ptr<addrinfo, AddressesFree>(found);
}

std::uint16_t port_of(const UniqueFd& fd) {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &size);
    return ntohs(bound.sin_port);
}

UniqueFd bound_socket() {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = address_of("127.0.0.1", 0);
    must(bind(fd.get(), address->ai_addr, address->ai_addrlen), "bind");
    return fd;
}

std::size_t content_length(std::string_view head) {
    static constexpr std::string_view k_name = "\r\nContent-Length: ";
    const auto at = head.find(k_name);
    return at == std::string_view::npos
               ? 0
               : std::strtoul(std::string(head.substr(at + k_name.size(), 10)).c_str(), nullptr,
                              10);
}

} // namespace

RawClient::RawClient(std::uint16_t port, const std::string& to, const std::string& from) {
    const auto target = address_of(to, port);
    m_fd = UniqueFd(socket(target->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!from.empty()) {
        const auto source = address_of(from, 0);
        must(bind(m_fd.get(), source->ai_addr, source->ai_addrlen), "bind");
    }
    m_connected = connect(m_fd.get(), target->ai_addr, target->ai_addrlen) == 0;
}

bool RawClient::send(std::string_view bytes) {
    return send_all(m_fd, bytes);
}

bool RawClient::read_more(Clock::time_point until) {
    const auto left = std::chrono::duration_cast<Milliseconds>(until - Clock::now()).count();
    pollfd entry{m_fd.get(), POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>(std::max<long long>(left, 0))) <= 0) {
        return false;
    }
    std::array<char, 16384> buffer{};
    const ssize_t count = recv(m_fd.get(), buffer.data(), buffer.size(), 0);
    m_closed = count <= 0;
    if (count > 0) {
        m_input.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return count > 0;
}

std::string RawClient::take(std::size_t count) {
    std::string taken = m_input.substr(0, count);
    m_input.erase(0, count);
    return taken;
}

std::string RawClient::head(Milliseconds patience) {
    const auto until = Clock::now() + patience;
    while (m_input.find("\r\n\r\n") == std::string::npos) {
        if (!read_more(until)) {
            return take(m_input.size());
        }
    }
    return take(m_input.find("\r\n\r\n") + 4);
}

std::string RawClient::response(Milliseconds patience) {
    const auto until = Clock::now() + patience;
    std::string all = head(patience);
    const auto body = content_length(all);
    while (m_input.size() < body && read_more(until)) {
    }
    return all + take(std::min(body, m_input.size()));
}

std::optional<Milliseconds> RawClient::time_to_close(Milliseconds patience) {
    const auto start = Clock::now();
    while (read_more(start + patience)) {
    }
    const auto waited = std::chrono::duration_cast<Milliseconds>(Clock::now() - start);
    return m_closed ? std::optional(waited) : std::nullopt;
}

std::uint16_t unused_port() {
    return port_of(bound_socket());
}

RawServer::RawServer() : m_fd(bound_socket()) {
    listen(m_fd.get(), 16);
    m_port = port_of(m_fd);
}

UniqueFd RawServer::accept_request() const {
    UniqueFd peer(accept4(m_fd.get(), nullptr, nullptr, SOCK_CLOEXEC));
    // A peer that hung up may leave a full window behind, at which a sender would wait a minute.
    const timeval patience{1, 0};
    setsockopt(peer.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    std::string head;
    std::array<char, 1024> buffer{};
    while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t count = recv(peer.get(), buffer.data(), buffer.size(), 0);
        if (count <= 0) {
            break;
        }
        head.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return peer;
}

bool send_all(const UniqueFd& fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

} // namespace losos::test
