#include "io/http_client.h"

#include "base/format.h"
#include "io/clock.h"
#include "io/exchange_watchdog.h"
#include "io/no_sigpipe.h"
#include "io/resolve.h"

#include <httplib.h>

#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace losos {

namespace {

// Room for a status line, headers and the records of TLS, beside the body.
constexpr std::uint64_t k_other_bytes = 128 * 1024;

std::string host_in_url(const HttpTarget& target) {
    return target.host.find(':') == std::string::npos ? target.host : "[" + target.host + "]";
}

std::string url_of(const HttpTarget& target) {
    return format("{}://{}:{}", target.https ? "https" : "http", host_in_url(target), target.port);
}

std::string host_header(const HttpTarget& target) {
    return target.port == (target.https ? 443 : 80)
               ? host_in_url(target)
               : format("{}:{}", host_in_url(target), target.port);
}

Error no_answer(const HttpTarget& target, std::string_view cause) {
    return fail(Errc::no_answer, "{} did not answer: {}", url_of(target), cause);
}

Error too_large(const HttpTarget& target, const HttpBounds& bounds) {
    constexpr std::size_t k_kib = 1024;
    const bool is_even = bounds.body_bytes % k_kib == 0;
    return fail(Errc::no_answer, "{} answered more than {} {}", url_of(target),
                is_even ? bounds.body_bytes / k_kib : bounds.body_bytes, is_even ? "KiB" : "bytes");
}

struct Attempt {
    std::optional<HttpAnswer> answer;
    httplib::Error error = httplib::Error::Success;
    long certificate_fault = 0;
    bool head_too_large = false;
    bool is_not_http = false;
};

/// What a caller wants to say.
struct Question {
    std::string method;
    std::string path;
    std::string body;
    std::string accept;
    std::string bearer;
};

httplib::Request make_request(const HttpTarget& target, const Question& question) {
    httplib::Request request;
    request.method = question.method;
    request.path = question.path;
    request.body = question.body;
    request.headers = {{"Host", host_header(target)},
                       {"Accept-Encoding", "identity"},
                       {"Connection", "close"},
                       {"User-Agent", "losos/" LOSOS_VERSION}};
    if (!question.accept.empty()) {
        request.headers.emplace("Accept", question.accept);
    }
    if (!question.bearer.empty()) {
        request.headers.emplace("Authorization", "Bearer " + question.bearer);
    }
    if (question.method == "POST") {
        request.headers.emplace("Content-Type", "application/json");
    }
    return request;
}

Attempt exchange(httplib::ClientImpl& client, httplib::Request request, const HttpBounds& bounds) {
    std::string body;
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t,
                                   std::uint64_t) {
        const bool fits = size <= bounds.body_bytes - body.size();
        body.append(data, fits ? size : bounds.body_bytes - body.size());
        return fits;
    };
    Attempt attempt;
    httplib::Response response;
    const bool is_whole = client.send(request, response, attempt.error);
    const bool is_cut = bounds.surplus == Surplus::is_cut &&
                        attempt.error == httplib::Error::Canceled && response.status > 0;
    if (is_whole || is_cut) {
        attempt.answer =
            HttpAnswer{response.status, std::move(body), response.get_header_value("Date")};
    }
    return attempt;
}

// The library matches the status line by a recursive expression, and a long one would overflow the
// stack. So it reads from here, where a head has an end.
class BoundedStream : public httplib::Stream {
public:
    BoundedStream(socket_t socket, SSL* ssl) : m_socket(socket), m_ssl(ssl) {}

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char* target, std::size_t size) override {
        if (m_at == m_input.size() && !fill()) {
            return m_ended ? 0 : -1;
        }
        const auto count = m_input.copy(target, size, m_at);
        m_at += count;
        return m_in_head && !accept_head({target, count}) ? -1 : static_cast<ssize_t>(count);
    }
    ssize_t write(const char* source, std::size_t size) override {
        return m_ssl == nullptr ? ::send(m_socket, source, size, MSG_NOSIGNAL)
                                : SSL_write(m_ssl, source, static_cast<int>(size));
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return m_socket; }

    bool is_head_too_large() const {
        return m_head_bytes > (m_lines == 0 ? k_line_bytes : k_head_bytes);
    }
    bool is_not_http() const { return m_is_not_http; }

private:
    static constexpr std::string_view k_protocol = "HTTP/";
    static constexpr std::size_t k_line_bytes = 1024;
    static constexpr std::size_t k_head_bytes = 64 * 1024;

    bool fill() {
        std::array<char, 4096> buffer;
        const auto count = m_ssl == nullptr
                               ? recv(m_socket, buffer.data(), buffer.size(), 0)
                               : SSL_read(m_ssl, buffer.data(), static_cast<int>(buffer.size()));
        m_ended = count == 0 || (m_ssl != nullptr && count < 0 &&
                                 SSL_get_error(m_ssl, -1) == SSL_ERROR_ZERO_RETURN);
        m_at = 0;
        m_input.assign(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
        return count > 0;
    }

    bool accept_head(std::string_view bytes) {
        for (const char c : bytes) {
            m_is_not_http = m_is_not_http ||
                            (m_head_bytes < k_protocol.size() && c != k_protocol[m_head_bytes]);
            ++m_head_bytes;
            m_lines += c == '\n' ? 1 : 0;
            m_in_head = c != '\n' || !m_line_is_empty;
            m_line_is_empty = c == '\n' || (m_line_is_empty && c == '\r');
        }
        return !is_head_too_large();
    }

    socket_t m_socket;
    SSL* m_ssl;
    std::string m_input;
    std::size_t m_at = 0;
    bool m_ended = false;
    bool m_in_head = true;
    bool m_line_is_empty = true;
    bool m_is_not_http = false;
    std::size_t m_head_bytes = 0;
    int m_lines = 0;
};

// A client of the library that reads through such a stream.
template <class Library>
class BoundedClient : public Library {
public:
    using Library::Library;

    bool is_head_too_large() const { return m_head_too_large; }
    bool is_not_http() const { return m_is_not_http; }

private:
    bool process_socket(const typename Library::Socket& socket,
                        std::function<bool(httplib::Stream&)> callback) override {
        BoundedStream stream(socket.sock, socket.ssl);
        const bool done = callback(stream);
        m_head_too_large = stream.is_head_too_large();
        m_is_not_http = stream.is_not_http();
        return done;
    }

    bool m_head_too_large = false;
    bool m_is_not_http = false;
};

// Where the library lets nobody read for its client of TLS, it bounds a line itself, at 32 KiB. The
// expression it matches that with takes up to 16 MiB of stack then.
[[maybe_unused]] void run_with_stack(std::function<void()> work) {
    constexpr std::size_t k_stack_bytes = 64UL * 1024 * 1024;
    const auto call = [](void* what) -> void* {
        (*static_cast<std::function<void()>*>(what))();
        return nullptr;
    };
    pthread_attr_t attributes;
    pthread_t thread{};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, k_stack_bytes);
    const int fault = pthread_create(&thread, &attributes, call, &work);
    pthread_attr_destroy(&attributes);
    if (fault == 0) {
        pthread_join(thread, nullptr);
    }
}

template <class Library>
Attempt attempt_with(const HttpTarget& target, const httplib::Request& request,
                     const HttpBounds& bounds,
                     const std::function<void(httplib::ClientImpl&)>& set_up) {
    constexpr bool is_tls = std::is_same_v<Library, httplib::SSLClient>;
    const auto run = [&](auto& client, const auto& in_stack) {
        set_up(client);
        if constexpr (is_tls) {
            client.enable_server_certificate_verification(target.certificates ==
                                                          Certificates::verified);
            if (target.authority_file) {
                client.set_ca_cert_path(*target.authority_file);
            }
        }
        Attempt attempt;
        in_stack([&] { attempt = exchange(client, request, bounds); });
        if constexpr (is_tls) {
            attempt.certificate_fault = client.get_openssl_verify_result();
        }
        return attempt;
    };
    if constexpr (std::is_final_v<Library>) {
        Library client(target.host, target.port);
        return run(client, run_with_stack);
    } else {
        BoundedClient<Library> client(target.host, target.port);
        Attempt attempt = run(client, [](const auto& work) { work(); });
        attempt.head_too_large = client.is_head_too_large();
        attempt.is_not_http = client.is_not_http();
        return attempt;
    }
}

// One try at one address. `patience` bounds connecting, the watchdog all of it.
Attempt try_address(const HttpTarget& target, const std::string& address,
                    const httplib::Request& request, const HttpBounds& bounds,
                    ExchangeWatchdog& watchdog, Duration patience) {
    const auto set_up = [&](httplib::ClientImpl& client) {
        client.set_hostname_addr_map({{target.host, address}});
        client.set_connection_timeout(patience);
        // Later than the watchdog, which alone says that the time is over.
        client.set_read_timeout(2 * bounds.total);
        client.set_write_timeout(2 * bounds.total);
        client.set_keep_alive(false);
        client.set_follow_location(false);
        client.set_decompress(false);
        client.set_tcp_nodelay(true);
        client.set_socket_options([&watchdog](auto socket) { watchdog.watch(socket); });
    };
    return target.https ? attempt_with<httplib::SSLClient>(target, request, bounds, set_up)
                        : attempt_with<httplib::ClientImpl>(target, request, bounds, set_up);
}

bool failed_to_connect(const Attempt& attempt) {
    return !attempt.answer && (attempt.error == httplib::Error::Connection ||
                               attempt.error == httplib::Error::ConnectionTimeout);
}

// Debian 13's library names a certificate for another host apart.
template <class LibraryError>
bool is_certificate_fault(LibraryError error) {
    if constexpr (requires { LibraryError::SSLServerHostnameVerification; }) {
        if (error == LibraryError::SSLServerHostnameVerification) {
            return true;
        }
    }
    return error == LibraryError::SSLServerVerification;
}

std::string certificate_fault(long fault) {
    switch (fault) {
    case X509_V_OK:
        return "its certificate is for another name";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return "its certificate is not valid yet; look at this machine's clock";
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return "its certificate has expired, unless this machine's clock is wrong";
    default:
        return format("its certificate is not trusted (OpenSSL: {})",
                      X509_verify_cert_error_string(fault));
    }
}

Error explain(const HttpTarget& target, const std::string& address, const Attempt& attempt,
              const HttpBounds& bounds, MonotonicTime deadline) {
    if (attempt.error == httplib::Error::Canceled || attempt.head_too_large) {
        return too_large(target, bounds);
    }
    if (failed_to_connect(attempt)) {
        const auto fault = connection_fault(address, target.port, deadline);
        return no_answer(target, fault.empty() ? "the connection failed" : fault);
    }
    if (is_certificate_fault(attempt.error)) {
        return no_answer(target, certificate_fault(attempt.certificate_fault));
    }
    if (attempt.error == httplib::Error::SSLLoadingCerts) {
        return fail(Errc::no_answer, "{} is not asked: {} holds no certificate that can be read",
                    url_of(target), target.authority_file.value_or("this system's store"));
    }
    if (attempt.error == httplib::Error::SSLConnection) {
        return no_answer(target, "the TLS handshake failed");
    }
    if (attempt.is_not_http) {
        return no_answer(target, "what it said is not HTTP; check the URL");
    }
    return no_answer(target, "it ended the connection without a whole answer");
}

Result<HttpAnswer> send(const HttpTarget& target, const Question& question,
                        const HttpBounds& bounds) {
    const MonotonicTime deadline = monotonic_now() + bounds.total;
    const NoSigpipe no_sigpipe;
    auto addresses = resolve_host(target.address.value_or(target.host), deadline, bounds.abandoned);
    if (!addresses) {
        return no_answer(target, addresses.error().what);
    }
    const httplib::Request request = make_request(target, question);
    ExchangeWatchdog watchdog(deadline, bounds.body_bytes + bounds.body_bytes / 8 + k_other_bytes,
                              bounds.abandoned);
    Attempt attempt;
    std::string address;
    for (std::size_t at = 0; at < addresses->size(); ++at) {
        address = (*addresses)[at];
        const auto left = deadline - monotonic_now();
        const auto share = left / static_cast<long long>(addresses->size() - at);
        attempt = try_address(target, address, request, bounds, watchdog,
                              std::max(Duration(share), Duration(1)));
        if (!failed_to_connect(attempt) ||
            watchdog.verdict() != ExchangeWatchdog::Verdict::within_bounds) {
            break;
        }
    }
    // First, for a body that ends with its connection looks whole after it was hung up.
    switch (watchdog.verdict()) {
    case ExchangeWatchdog::Verdict::too_late:
        return no_answer(target,
                         format("no whole answer within {}", render_duration(bounds.total)));
    case ExchangeWatchdog::Verdict::too_large:
        return too_large(target, bounds);
    case ExchangeWatchdog::Verdict::abandoned:
        return no_answer(target, "it was not waited for");
    case ExchangeWatchdog::Verdict::within_bounds:
        break;
    }
    if (attempt.answer) {
        return *std::move(attempt.answer);
    }
    return explain(target, address, attempt, bounds, deadline);
}

} // namespace

Result<HttpAnswer> http_get(const HttpTarget& target, const std::string& path,
                            const HttpBounds& bounds, const std::string& accept) {
    return send(target, {"GET", path, {}, accept, {}}, bounds);
}

Result<HttpAnswer> http_post_json(const HttpTarget& target, const std::string& path,
                                  const std::string& body, const HttpBounds& bounds) {
    return send(target, {"POST", path, body, {}, {}}, bounds);
}

Result<HttpAnswer> http_delete(const HttpTarget& target, const std::string& path,
                               const std::string& bearer, const HttpBounds& bounds) {
    return send(target, {"DELETE", path, {}, {}, bearer}, bounds);
}

} // namespace losos
