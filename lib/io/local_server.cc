#include "io/local_server.h"

#include "base/format.h"
#include "base/unique_fd.h"
#include "io/clock.h"
#include "io/no_sigpipe.h"

#include <openssl/ssl.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string_view>

namespace losos {

namespace {

// Enough for a head and for what tells one server from another.
constexpr std::size_t k_read_max = std::size_t{16} * 1024;

struct FreeContext {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct FreeSession {
    void operator()(SSL* session) const { SSL_free(session); }
};

void set_patience(const UniqueFd& socket, Duration patience) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(patience);
    const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(patience - seconds);
    timeval time{};
    time.tv_sec = seconds.count();
    time.tv_usec = rest.count();
    // A connection is begun with the one for sending.
    setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

/// A connection, in the clear or not.
class Wire {
public:
    Wire(const UniqueFd& socket, const std::string& host, LocalTransport transport)
        : m_socket(socket) {
        if (transport == LocalTransport::plain) {
            return;
        }
        m_context.reset(SSL_CTX_new(TLS_client_method()));
        SSL_CTX_set_verify(m_context.get(), SSL_VERIFY_NONE, nullptr);
        m_session.reset(SSL_new(m_context.get()));
        SSL_set_tlsext_host_name(m_session.get(), host.c_str());
        SSL_set_fd(m_session.get(), socket.get());
        m_is_up = SSL_connect(m_session.get()) == 1;
    }

    bool is_up() const { return m_is_up; }
    bool write(std::string_view text) {
        const auto size = static_cast<int>(text.size());
        return (m_session ? SSL_write(m_session.get(), text.data(), size)
                          : send(m_socket.get(), text.data(), text.size(), MSG_NOSIGNAL)) == size;
    }
    /// As recv(2).
    long read(std::array<char, 4096>& buffer) {
        return m_session ? SSL_read(m_session.get(), buffer.data(), static_cast<int>(buffer.size()))
                         : recv(m_socket.get(), buffer.data(), buffer.size(), 0);
    }

private:
    const UniqueFd& m_socket;
    std::unique_ptr<SSL_CTX, FreeContext> m_context;
    std::unique_ptr<SSL, FreeSession> m_session;
    bool m_is_up = true;
};

UniqueFd connect_to(std::uint16_t port, Duration patience) {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    set_patience(fd, patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The kernel's own way to pass an address.
    const auto* const generic = reinterpret_cast<const sockaddr*>(&address); // NOLINT
    if (connect(fd.get(), generic, sizeof address) != 0) {
        return {};
    }
    return fd;
}

LocalReply read_reply(Wire& wire, MonotonicTime deadline) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (text.size() < k_read_max && monotonic_now() < deadline) {
        const auto count = wire.read(buffer);
        if (count <= 0) {
            break;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    LocalReply reply;
    constexpr std::string_view k_protocol = "HTTP/1.";
    constexpr std::size_t k_status_at = k_protocol.size() + 2;
    if (!text.starts_with(k_protocol) || text.size() < k_status_at + 3) {
        const bool is_late = monotonic_now() >= deadline;
        reply.kind = text.empty() && is_late ? LocalReply::Kind::silent : LocalReply::Kind::hung_up;
        return reply;
    }
    reply.kind = LocalReply::Kind::answered;
    std::from_chars(text.data() + k_status_at, text.data() + k_status_at + 3, reply.status);
    const auto head_end = text.find("\r\n\r\n");
    reply.body = head_end == std::string::npos ? "" : text.substr(head_end + 4);
    return reply;
}

} // namespace

LocalReply ask_local_server(std::uint16_t port, const std::string& host, LocalTransport transport,
                            Duration patience) {
    const NoSigpipe no_sigpipe;
    // A reading that waited all the time there is ends a moment before or after it.
    const auto deadline = monotonic_now() + patience - std::min(patience / 10, Duration(50));
    const auto fd = connect_to(port, patience);
    LocalReply reply;
    if (!fd) {
        return reply;
    }
    Wire wire(fd, host, transport);
    const auto request = format("GET / HTTP/1.1\r\nHost: {}\r\nUser-Agent: losos/" LOSOS_VERSION
                                "\r\nConnection: close\r\n\r\n",
                                host);
    if (!wire.is_up() || !wire.write(request)) {
        reply.kind =
            monotonic_now() >= deadline ? LocalReply::Kind::silent : LocalReply::Kind::hung_up;
        return reply;
    }
    return read_reply(wire, deadline);
}

} // namespace losos
