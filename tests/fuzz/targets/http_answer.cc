// Whole answers of an edge, as the client reads them from a socket, and as a reader takes them that
// never waits.
#include "check.h"
#include "target.h"

#include "base/unique_fd.h"
#include "io/http_answer_reader.h"
#include "io/http_client.h"
#include "io/listen_socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <mutex>
#include <string>
#include <thread>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_body_limit = 2048;

/// Answers each connection with the bytes it was given, whatever is asked.
class Edge {
public:
    Edge() : m_listening(*listen_on("127.0.0.1", 0)) {
        std::thread([this] { answer_for_ever(); }).detach();
    }

    std::uint16_t port() const { return bound_port(m_listening); }

    void set_answer(std::string_view answer) {
        const std::lock_guard held(m_mutex);
        m_answer = answer;
    }

private:
    void answer_for_ever() {
        for (;;) {
            pollfd waiting{m_listening.get(), POLLIN, 0};
            poll(&waiting, 1, -1);
            const UniqueFd caller(accept(m_listening.get(), nullptr, nullptr));
            std::array<char, 4096> buffer{};
            // Closed with bytes unread, the answer would be lost; the request is one packet.
            if (!caller || recv(caller.get(), buffer.data(), buffer.size(), 0) <= 0) {
                continue;
            }
            std::string answer;
            {
                const std::lock_guard held(m_mutex);
                answer = m_answer;
            }
            send(caller.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
            shutdown(caller.get(), SHUT_WR);
            while (recv(caller.get(), buffer.data(), buffer.size(), 0) > 0) {
            }
        }
    }

    UniqueFd m_listening;
    std::mutex m_mutex;
    std::string m_answer;
};

void read_in_pieces(std::string_view input) {
    constexpr std::size_t k_piece = 64;
    HttpAnswerReader at_once(k_body_limit);
    HttpAnswerReader in_pieces(k_body_limit);
    at_once.take(input);
    for (std::size_t at = 0; at < input.size(); at += k_piece) {
        in_pieces.take(input.substr(at, k_piece));
    }
    if (at_once.end() == HttpAnswerReader::State::whole) {
        FUZZ_CHECK(in_pieces.end() == HttpAnswerReader::State::whole);
        FUZZ_CHECK(in_pieces.status() == at_once.status());
        FUZZ_CHECK(in_pieces.body() == at_once.body());
        FUZZ_CHECK(at_once.body().size() <= k_body_limit);
        FUZZ_CHECK(input.starts_with("HTTP/1."));
    }
}

void run(std::string_view input) {
    read_in_pieces(input);
    // For the life of the process: its thread never ends.
    static Edge& edge = *new Edge;
    edge.set_answer(input);
    const HttpBounds bounds{Duration(4000), k_body_limit};
    const auto answer = http_get({false, "127.0.0.1", edge.port()}, "/health", bounds);
    if (!answer) {
        check_sentence(answer.error().what);
        FUZZ_CHECK(answer.error().code == Errc::no_answer);
        return;
    }
    FUZZ_CHECK(answer->status >= 0 && answer->status <= 999);
    FUZZ_CHECK(answer->body.size() <= k_body_limit);
    FUZZ_CHECK(input.starts_with("HTTP/1."));
}

const Known k_known({"http-answer", "HTTP answers", k_file, "", run});

} // namespace
} // namespace losos::fuzz
