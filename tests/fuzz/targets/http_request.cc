// Whole connections, as the server reads them from a socket: whatever a route was called with must
// be what a strict reader finds at that place of the stream, so that no request hides in another.
#include "check.h"
#include "target.h"

#include "io/http_routes.h"

#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <optional>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_body_limit = 1024;

/// One request of the stream by the letter of RFC 9112.
struct StrictRequest {
    std::size_t body_begin = 0;
    std::size_t length = 0;
    bool chunked = false;
};

std::optional<StrictRequest> read_strictly(std::string_view stream, std::size_t at) {
    const auto end = stream.find("\r\n\r\n", at);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    StrictRequest request{end + 4, 0, false};
    auto head = stream.substr(at, end + 2 - at);
    std::size_t framings = 0;
    for (head.remove_prefix(head.find("\r\n") + 2); !head.empty();) {
        const auto line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(line.size() + 2);
        const std::string name(line.substr(0, line.find(':')));
        if (strcasecmp(name.c_str(), "Content-Length") == 0) {
            ++framings;
            const auto first = line.find_first_not_of(" \t", name.size() + 1);
            if (first != std::string_view::npos) {
                std::from_chars(line.data() + first, line.data() + line.size(), request.length);
            }
        }
        if (strcasecmp(name.c_str(), "Transfer-Encoding") == 0) {
            ++framings;
            request.chunked = true;
        }
    }
    return framings > 1 ? std::nullopt : std::optional(request);
}

/// What became of one request.
struct Served {
    std::optional<std::string> body;
    bool goes_on = false;
};

class Connection {
public:
    explicit Connection(std::string_view input) {
        std::array<int, 2> ends{};
        FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
        m_client = UniqueFd(ends[0]);
        m_admitted.emplace(UniqueFd(ends[1]), Source::of_text("192.0.2.1"));
        FUZZ_CHECK(send(m_client.get(), input.data(), input.size(), MSG_DONTWAIT) ==
                   static_cast<ssize_t>(input.size()));
        shutdown(m_client.get(), SHUT_WR);
        m_connection.emplace(*m_admitted, Duration(5000));
        const auto keep = [this](const HttpRequest& request) {
            FUZZ_CHECK(!m_served.body);
            m_served.body = request.body;
            return text_reply(200, "taken " + request.query("nonce"));
        };
        m_routes.add("POST", "/relay", keep);
        m_routes.add("GET", "/health", keep);
    }

    /// Serves the next request; nullopt when there is none.
    std::optional<Served> serve() {
        if (!m_connection->await_request()) {
            return std::nullopt;
        }
        m_served = {};
        const HttpRoutes::Gate gate{[](const std::string&) { return true; },
                                    [](const std::function<void()>& call_route) {
                                        call_route();
                                        return true;
                                    }};
        m_served.goes_on =
            m_routes.serve_one(*m_connection, gate, false) == HttpRoutes::After::next;
        return m_served;
    }

    /// Everything the caller was answered.
    std::string read_answers() {
        m_connection.reset();
        m_admitted.reset();
        std::string all;
        std::array<char, 4096> buffer{};
        for (ssize_t count = 0;
             (count = recv(m_client.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0;) {
            all.append(buffer.data(), static_cast<std::size_t>(count));
        }
        return all;
    }

private:
    UniqueFd m_client;
    std::optional<AdmittedConnection> m_admitted;
    std::optional<HttpConnection> m_connection;
    HttpRoutes m_routes{k_body_limit};
    Served m_served;
};

void check_served(const Served& served, std::string_view input, std::size_t& at) {
    const auto strict = read_strictly(input, at);
    if (!served.body && !served.goes_on) {
        return;
    }
    FUZZ_CHECK(strict.has_value());
    if (served.body && !strict->chunked) {
        FUZZ_CHECK(served.body->size() <= k_body_limit);
        FUZZ_CHECK(input.substr(strict->body_begin, strict->length) == *served.body);
    }
    FUZZ_CHECK(!served.goes_on || !strict->chunked);
    at = strict->body_begin + strict->length;
}

void run(std::string_view input) {
    Connection connection(input);
    std::size_t at = 0;
    std::size_t answered = 0;
    bool goes_on = true;
    while (goes_on) {
        const auto served = connection.serve();
        if (!served) {
            break;
        }
        check_served(*served, input, at);
        goes_on = served->goes_on;
        ++answered;
    }
    const auto answers = connection.read_answers();
    FUZZ_CHECK(answers.empty() || answers.starts_with("HTTP/1.1 "));
    FUZZ_CHECK(answers.find("internal fault") == std::string::npos);
    FUZZ_CHECK(answered > 0 || answers.empty());
}

const Known k_known({"http-request", "HTTP connections", k_file, "", run});

} // namespace
} // namespace losos::fuzz
