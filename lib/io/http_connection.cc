#include "io/http_connection.h"

#include "base/crypto.h"
#include "io/clock.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace losos {

namespace {

constexpr std::size_t k_read_bytes = 4096;
constexpr std::size_t k_head_bytes = 32 * 1024;
constexpr int k_head_lines = 66;
// A body in chunks of one byte is seven times its size; a chunk's extensions may be anything.
constexpr std::size_t k_body_bytes = 1024 * 1024;
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

bool is_odd_after(char last, char next) {
    const auto byte = static_cast<unsigned char>(next);
    const bool lone_feed = next == '\n' && last != '\r';
    const bool lone_return = last == '\r' && next != '\n';
    const bool folded = last == '\n' && (next == ' ' || next == '\t');
    const bool control = byte < ' ' ? next != '\r' && next != '\n' && next != '\t' : byte == 0x7f;
    return lone_feed || lone_return || folded || control;
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

HttpConnection::~HttpConnection() {
    wipe(m_input);
}

bool HttpConnection::await_request() {
    m_input.erase(0, std::exchange(m_consumed, 0));
    m_fault = Fault::none;
    m_in_head = true;
    m_last = '\n';
    m_name.clear();
    m_in_name = true;
    m_in_length = false;
    m_head_bytes = 0;
    m_body_bytes = 0;
    m_head_lines = 0;
    const auto now = monotonic_now().count();
    m_connection.begin_receiving(now);
    if (m_input.empty()) {
        if (!m_connection.begin_waiting(now)) {
            return false;
        }
        const ssize_t count = receive_into(m_input, m_connection.fd(), 0);
        m_connection.end_waiting();
        if (count <= 0) {
            return false;
        }
    }
    m_deadline = monotonic_now() + m_per_request;
    return true;
}

ssize_t HttpConnection::read(char* target, std::size_t size) {
    if (m_fault != Fault::none || (m_consumed == m_input.size() && !fill())) {
        return -1;
    }
    const auto count = m_input.copy(target, size, m_consumed);
    m_consumed += count;
    if (m_in_head) {
        return accept_head({target, count}) ? static_cast<ssize_t>(count) : -1;
    }
    m_body_bytes += count;
    if (m_body_bytes > k_body_bytes) {
        m_fault = Fault::large_body;
        return -1;
    }
    return static_cast<ssize_t>(count);
}

bool HttpConnection::fill() {
    m_input.clear();
    m_consumed = 0;
    // The caller may be waiting for a go-ahead.
    if (!flush()) {
        m_fault = Fault::gone;
        return false;
    }
    while (true) {
        // A sender that keeps poll() from ever waiting has a deadline all the same.
        if (monotonic_now() >= m_deadline || !wait_for(POLLIN)) {
            m_fault = Fault::late;
            return false;
        }
        const ssize_t count = receive_into(m_input, m_connection.fd(), MSG_DONTWAIT);
        if (count > 0) {
            return true;
        }
        if (count == 0 || errno != EAGAIN) {
            m_fault = Fault::gone;
            return false;
        }
    }
}

bool HttpConnection::accept_head(std::string_view bytes) {
    for (const char c : bytes) {
        // The library takes a tab for a part of a request line's blanks.
        const bool odd_blank = c == '\t' && m_head_lines == 0;
        if (odd_blank || is_odd_after(m_last, c) || is_refused_after(c)) {
            m_fault = Fault::odd_head;
            return false;
        }
        m_last = c;
        m_head_lines += c == '\n' ? 1 : 0;
    }
    m_head_bytes += bytes.size();
    if (m_head_bytes > k_head_bytes || m_head_lines > k_head_lines) {
        m_fault = Fault::large_head;
        return false;
    }
    return true;
}

// The library reads a Range by a recursive expression before anybody is asked, and a long one would
// overflow the stack. Nothing here is worth a part of it. And it decodes %xx in every value, and
// passes over a header without one, and over a line without a colon: what it takes for the length
// of a body then, another server does not.
bool HttpConnection::is_refused_after(char next) {
    static constexpr std::size_t k_longest_name = 17;
    const auto is = [this](const char* name) {
        return strcasecmp(m_name.c_str(), name) == 0;
    };
    if (next == '\n') {
        const bool is_empty_length = m_in_length && m_value_is_empty;
        const bool has_no_colon = m_head_lines > 0 && m_in_name && !m_name.empty();
        m_name.clear();
        m_in_name = true;
        m_in_length = false;
        return is_empty_length || has_no_colon;
    }
    if (!m_in_name) {
        m_value_is_empty = m_value_is_empty && (next == ' ' || next == '\t' || next == '\r');
        return m_in_length && next == '%';
    }
    if (next == ':') {
        m_in_name = false;
        m_in_length = is("content-length") || is("transfer-encoding");
        m_value_is_empty = true;
        return is("range");
    }
    if (next != '\r' && m_name.size() <= k_longest_name) {
        m_name += next;
    }
    return false;
}

bool HttpConnection::flush() {
    std::string_view bytes = m_output;
    bool sent_all = true;
    while (!bytes.empty()) {
        const auto sent = send_at_once(m_connection.fd(), bytes);
        bytes.remove_prefix(sent);
        if (bytes.empty()) {
            break;
        }
        const bool broken = sent == 0 && errno != EAGAIN;
        if (broken || monotonic_now() >= m_deadline || !wait_for(POLLOUT)) {
            sent_all = false;
            break;
        }
    }
    m_output.clear();
    return sent_all;
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
