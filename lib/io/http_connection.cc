#include "io/http_connection.h"

#include "io/clock.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace losos {

namespace {

constexpr std::size_t k_read_bytes = 4096;
constexpr Duration k_linger{1000};

// Waits until the descriptor has the event; false when the time is over first.
bool poll_until(int fd, short event, MonotonicTime deadline) {
    while (true) {
        const auto left = std::max<long long>((deadline - monotonic_now()).count(), 0);
        pollfd entry{fd, event, 0};
        const int ready = poll(&entry, 1, static_cast<int>(left));
        if (ready >= 0 || errno != EINTR) {
            return ready > 0;
        }
    }
}

ssize_t receive_into(std::string& input, int fd, int flags) {
    std::array<char, k_read_bytes> buffer;
    ssize_t count = 0;
    do {
        count = recv(fd, buffer.data(), buffer.size(), flags);
    } while (count < 0 && errno == EINTR);
    if (count > 0) {
        input.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return count;
}

} // namespace

HttpConnection::HttpConnection(AdmittedConnection& connection, Duration per_request)
    : m_connection(connection), m_per_request(per_request) {
    const int on = 1;
    setsockopt(connection.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // A silent peer is waited for in recv() itself: one system call a request instead of two.
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(per_request);
    timeval timeout{};
    timeout.tv_sec = seconds.count();
    timeout.tv_usec = std::chrono::microseconds(per_request - seconds).count();
    setsockopt(connection.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
}

HttpConnection::Received HttpConnection::receive(RequestFramer& framer) {
    if (m_input.empty() && !read_first()) {
        return Received::ended;
    }
    m_deadline = monotonic_now() + m_per_request;
    return read_rest(framer);
}

bool HttpConnection::read_first() {
    if (!m_connection.begin_waiting(monotonic_now().count())) {
        return false;
    }
    const ssize_t count = receive_into(m_input, m_connection.fd(), 0);
    m_connection.end_waiting();
    return count > 0;
}

HttpConnection::Received HttpConnection::read_rest(RequestFramer& framer) {
    static constexpr std::string_view k_go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    while (true) {
        switch (framer.advance(m_input)) {
        case RequestFramer::State::complete:
            return Received::request;
        case RequestFramer::State::refused:
            return Received::refused;
        case RequestFramer::State::more:
            break;
        }
        if (framer.take_continue() && !send(k_go_on)) {
            return Received::ended;
        }
        if (!wait_for(POLLIN)) {
            return Received::late;
        }
        const ssize_t count = receive_into(m_input, m_connection.fd(), MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EAGAIN)) {
            return Received::ended;
        }
        // A sender that keeps poll() from ever waiting has a deadline all the same.
        if (monotonic_now() >= m_deadline) {
            return Received::late;
        }
    }
}

bool HttpConnection::send(std::string_view bytes) const {
    while (true) {
        const auto sent = send_at_once(m_connection.fd(), bytes);
        if (sent == bytes.size()) {
            return true;
        }
        if (sent == 0 && errno != EAGAIN) {
            return false;
        }
        bytes.remove_prefix(sent);
        if (monotonic_now() >= m_deadline || !wait_for(POLLOUT)) {
            return false;
        }
    }
}

void HttpConnection::linger() const {
    const int fd = m_connection.fd();
    shutdown(fd, SHUT_WR);
    const MonotonicTime until = monotonic_now() + k_linger;
    while (drain_at_once(fd) && monotonic_now() < until && poll_until(fd, POLLIN, until)) {
    }
}

bool HttpConnection::wait_for(short event) const {
    return poll_until(m_connection.fd(), event, m_deadline);
}

std::size_t send_at_once(int fd, std::string_view bytes) {
    ssize_t count = 0;
    do {
        count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool drain_at_once(int fd) {
    std::array<char, k_read_bytes> buffer;
    // Bounded, for a peer may send as fast as this reads.
    for (int round = 0; round < 64; ++round) {
        const ssize_t count = recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count == 0) {
            return false;
        }
        if (count < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
    }
    return true;
}

} // namespace losos
