#include "io/loop_connection.h"

#include "base/format.h"
#include "io/no_sigpipe.h"
#include "io/tcp_connect.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace losos {

namespace {

struct FreeContext {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct FreeSession {
    void operator()(SSL* session) const { SSL_free(session); }
};

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

/// Whose certificate is taken, and the name by which a server picks the one it shows.
bool expect_host(SSL* session, const std::string& host) {
    if (is_address(host)) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str()) == 1;
    }
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(session, host.c_str()) == 1 &&
           SSL_set_tlsext_host_name(session, host.c_str()) == 1;
}

} // namespace

struct TlsSettings::Impl {
    std::unique_ptr<SSL_CTX, FreeContext> context;
};

TlsSettings::TlsSettings(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

TlsSettings::~TlsSettings() = default;

Result<std::unique_ptr<TlsSettings>> TlsSettings::make() {
    auto impl = std::make_unique<Impl>();
    impl->context.reset(SSL_CTX_new(TLS_client_method()));
    auto* const context = impl->context.get();
    if (context == nullptr || SSL_CTX_set_default_verify_paths(context) != 1 ||
        SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
        return fail(Errc::failed, "OpenSSL cannot be used");
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return std::unique_ptr<TlsSettings>(new TlsSettings(std::move(impl)));
}

struct LoopConnection::Tls {
    std::unique_ptr<SSL, FreeSession> session;
};

LoopConnection::LoopConnection() = default;
LoopConnection::LoopConnection(LoopConnection&& other) noexcept = default;
LoopConnection& LoopConnection::operator=(LoopConnection&& other) noexcept = default;
LoopConnection::~LoopConnection() = default;

LoopConnection::LoopConnection(const std::string& address, std::uint16_t port,
                               const TlsSettings* tls, const std::string& host)
    : m_socket(begin_connecting(address, port)) {
    if (!m_socket || tls == nullptr) {
        return;
    }
    m_tls = std::make_unique<Tls>();
    m_tls->session.reset(SSL_new(tls->m_impl->context.get()));
    auto* const session = m_tls->session.get();
    if (session == nullptr || !expect_host(session, host) ||
        SSL_set_fd(session, m_socket.get()) != 1) {
        m_socket.reset();
        return;
    }
    SSL_set_connect_state(session);
}

/// What a call of OpenSSL that did not succeed came to.
LoopConnection::Step LoopConnection::step_of(int status) const {
    switch (SSL_get_error(m_tls->session.get(), status)) {
    case SSL_ERROR_WANT_READ:
        return Step::wants_to_read;
    case SSL_ERROR_WANT_WRITE:
        return Step::wants_to_write;
    case SSL_ERROR_ZERO_RETURN:
        return Step::ended;
    default:
        return Step::failed;
    }
}

LoopConnection::Step LoopConnection::go_on() {
    if (!m_is_connected) {
        if (!has_connected(m_socket)) {
            return Step::failed;
        }
        m_is_connected = true;
    }
    if (!m_tls) {
        return Step::done;
    }
    const NoSigpipe no_sigpipe;
    ERR_clear_error();
    const int status = SSL_do_handshake(m_tls->session.get());
    return status == 1 ? Step::done : step_of(status);
}

LoopConnection::Step LoopConnection::read(char* target, std::size_t size, std::size_t& count) {
    if (m_tls) {
        const NoSigpipe no_sigpipe;
        ERR_clear_error();
        const int status = SSL_read_ex(m_tls->session.get(), target, size, &count);
        return status == 1 ? Step::done : step_of(status);
    }
    const auto received = recv(m_socket.get(), target, size, 0);
    if (received > 0) {
        count = static_cast<std::size_t>(received);
        return Step::done;
    }
    if (received == 0) {
        return Step::ended;
    }
    return errno == EAGAIN || errno == EINTR ? Step::wants_to_read : Step::failed;
}

LoopConnection::Step LoopConnection::write(std::string_view bytes) {
    if (m_tls) {
        const NoSigpipe no_sigpipe;
        ERR_clear_error();
        std::size_t count = 0;
        return SSL_write_ex(m_tls->session.get(), bytes.data(), bytes.size(), &count) == 1
                   ? Step::done
                   : Step::failed;
    }
    const auto sent = send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return sent == static_cast<ssize_t>(bytes.size()) ? Step::done : Step::failed;
}

bool LoopConnection::is_quiet() const {
    pollfd polled{m_socket.get(), POLLIN, 0};
    return m_socket && poll(&polled, 1, 0) == 0;
}

} // namespace losos
