// One HTTP answer out of the bytes of a connection as they arrive, for callers that never wait.
// cpp-httplib reads it, from memory; what is not whole so far is read anew when more has come.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace losos {

/// A GET as cpp-httplib writes it; `host` is the Host header.
std::string render_http_get(const std::string& host, const std::string& path);

class HttpAnswerReader {
public:
    /// `body_bytes`: how large a body is taken.
    explicit HttpAnswerReader(std::size_t body_bytes) : m_limit(body_bytes) {}

    enum class State {
        /// More is to come.
        open,
        whole,
        /// It is no answer of HTTP, or larger than is taken.
        odd,
    };

    State take(std::string_view bytes);
    /// The server ended the connection.
    State end();

    bool has_begun() const { return !m_input.empty(); }
    int status() const { return m_status; }
    const std::string& body() const { return m_body; }
    /// Whether the connection may carry another request after a whole answer.
    bool may_go_on() const { return m_state == State::whole && m_may_go_on; }

private:
    bool is_within_bounds() const;
    State read();

    const std::size_t m_limit;
    State m_state = State::open;
    bool m_has_ended = false;
    bool m_may_go_on = false;
    int m_status = 0;
    std::string m_input;
    std::string m_body;
};

} // namespace losos
