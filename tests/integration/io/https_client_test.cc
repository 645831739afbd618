// Certificates: a real TLS server stands at the other end.
#include "io/http_client.h"

#include "raw_client.h"
#include "scratch_directory.h"
#include "support/catch.h"

#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::test;

namespace {

pid_t start(const std::vector<std::string>& command, const std::string& directory = ".") {
    std::vector<char*> arguments;
    for (const std::string& word : command) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        if (chdir(directory.c_str()) == 0) {
            execvp(arguments[0], arguments.data());
        }
        _exit(127);
    }
    return child;
}

// `openssl s_server` with a certificate it signed itself. It answers with a page of its own, or
// with the bytes it was given.
class TlsServer {
public:
    explicit TlsServer(const std::string& alternative_name, const std::string& raw_answer = {})
        : m_port(unused_port()) {
        std::ofstream(m_scratch.path() / "answer") << raw_answer;
        const auto key = (m_scratch.path() / "key.pem").string();
        const pid_t maker = start({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                                   "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
                                   "/CN=test", "-addext", "subjectAltName=" + alternative_name,
                                   "-keyout", key, "-out", certificate()});
        waitpid(maker, nullptr, 0);
        m_child =
            start({"openssl", "s_server", "-accept", "127.0.0.1:" + std::to_string(m_port),
                   raw_answer.empty() ? "-www" : "-HTTP", "-cert", certificate(), "-key", key},
                  m_scratch.path().string());
        m_listens = comes_true([this] { return RawClient(m_port).is_connected(); });
    }
    TlsServer(const TlsServer&) = delete;
    TlsServer& operator=(const TlsServer&) = delete;
    ~TlsServer() {
        kill(m_child, SIGKILL);
        waitpid(m_child, nullptr, 0);
    }

    bool listens() const { return m_listens; }
    std::uint16_t port() const { return m_port; }
    std::string certificate() const { return (m_scratch.path() / "cert.pem").string(); }

    Result<HttpAnswer> ask(bool trusted) const {
        setenv("SSL_CERT_FILE", trusted ? certificate().c_str() : "/dev/null", 1);
        auto answer = http_get({true, "127.0.0.1", m_port}, "/answer", {});
        unsetenv("SSL_CERT_FILE");
        return answer;
    }

    /// Whatever the system trusts, which this server is part of.
    Result<HttpAnswer> ask_pinned(const std::string& authority) const {
        setenv("SSL_CERT_FILE", certificate().c_str(), 1);
        auto answer = http_get(
            {.https = true, .host = "127.0.0.1", .port = m_port, .authority_file = authority},
            "/answer", {});
        unsetenv("SSL_CERT_FILE");
        return answer;
    }

private:
    ScratchDirectory m_scratch;
    std::uint16_t m_port;
    pid_t m_child = -1;
    bool m_listens = false;
};

} // namespace

TEST_CASE("https is answered when the certificate is trusted and for that host") {
    const TlsServer server("IP:127.0.0.1");
    REQUIRE(server.listens());
    const auto answer = server.ask(true);
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(contains(answer->body, "s_server"));
}

TEST_CASE("https fails when nobody trusted signed the certificate") {
    const TlsServer server("IP:127.0.0.1");
    REQUIRE(server.listens());
    const auto answer = server.ask(false);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == Errc::no_answer);
    CHECK(contains(answer.error().what, " did not answer: its certificate is not trusted"));
}

TEST_CASE("any certificate is taken where the caller says so, from the address he names") {
    const TlsServer server("DNS:somebody.example");
    REQUIRE(server.listens());
    const auto answer =
        http_get({true, "edge.example", server.port(), "127.0.0.1", Certificates::any}, "/", {});
    REQUIRE(answer);
    CHECK(answer->status == 200);
}

TEST_CASE("where an authority is given, nobody else the system trusts is believed") {
    const TlsServer server("IP:127.0.0.1");
    const TlsServer stranger("IP:127.0.0.1");
    REQUIRE((server.listens() && stranger.listens()));
    const auto refused = server.ask_pinned(stranger.certificate());
    REQUIRE_FALSE(refused);
    CHECK(contains(refused.error().what, "its certificate is not trusted"));
    const auto no_authority = server.ask_pinned("/dev/null");
    REQUIRE_FALSE(no_authority);
    CHECK(contains(no_authority.error().what, "/dev/null holds no certificate"));
    const auto taken = server.ask_pinned(server.certificate());
    REQUIRE(taken);
    CHECK(taken->status == 200);
}

TEST_CASE("https fails when the certificate is for another host") {
    const TlsServer server("IP:127.0.0.2,DNS:localhost");
    REQUIRE(server.listens());
    const auto answer = server.ask(true);
    REQUIRE_FALSE(answer);
    CHECK(contains(answer.error().what, " did not answer: its certificate is for another name"));
}

TEST_CASE("a status line of any length over https is an answer or none, and nothing else happens") {
    for (const std::size_t length : {20U, 1000U, 8000U, 31'000U, 32'768U, 300'000U}) {
        const TlsServer server("IP:127.0.0.1", "HTTP/1.1 200 " + std::string(length, 'x') +
                                                   "\r\nContent-Length: 2\r\n\r\nok");
        REQUIRE(server.listens());
        const auto answer = server.ask(true);
        if (answer) {
            CHECK(answer->body == "ok");
        } else {
            CHECK(answer.error().code == Errc::no_answer);
        }
        CHECK((answer || length > 900));
    }
}
