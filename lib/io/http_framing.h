// Where one HTTP/1 request ends and whether it may be let in, judged on bytes alone: no socket, no
// clock. Strict on purpose: what two servers could read in two ways is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// The bounds of one request's bytes.
struct FramingLimits {
    std::size_t body_bytes = 64 * 1024;
    std::size_t line_bytes = 8 * 1024;
    std::size_t head_bytes = 32 * 1024;
    int headers = 64;
};

/// A request that arrived whole.
struct FramedRequest {
    std::string method;
    /// Path and query, as sent.
    std::string target;
    std::string body;
    /// The last X-Forwarded-For entry; nullopt without such a header.
    std::optional<std::string> forwarded_for;
    /// Whether the caller wants the connection closed after the answer.
    bool close = false;
};

/// Why a request is not let in. The connection must be closed after saying so.
struct Refusal {
    int status = 400;
    std::string sentence;
};

/// Reads one request; a further one needs a framer of its own.
class RequestFramer {
public:
    enum class State { more, complete, refused };

    explicit RequestFramer(const FramingLimits& limits) : m_limits(limits) {}

    /// Takes what belongs to the request off the front of `input`. After `complete`, what is left
    /// belongs to the next request; after `refused`, it means nothing.
    State advance(std::string& input);

    /// Whether the caller waits for a go-ahead before it sends the body; true at most once.
    bool take_continue();

    /// The request; meaningful once complete. Its method is known from the request line on.
    FramedRequest& request() { return m_request; }
    const Refusal& refusal() const { return m_refusal; }

private:
    enum class Part { request_line, headers, body, chunk_size, chunk, chunk_end, trailers, done };

    State step(std::string_view& rest);
    State take_line(std::string_view& rest);
    State take_bytes(std::string_view& rest, Part next);
    State take_request_line(std::string_view line);
    State take_header(std::string_view line);
    State take_known_header(std::string_view name, std::string_view value);
    State take_content_length(std::string_view value);
    State take_transfer_encoding(std::string_view value);
    State end_head();
    State take_chunk_size(std::string_view line);
    State refuse(int status, std::string sentence);
    State refuse_body_size();

    FramingLimits m_limits;
    FramedRequest m_request;
    Refusal m_refusal;
    Part m_part = Part::request_line;
    std::size_t m_head_bytes = 0;
    int m_headers = 0;
    std::optional<std::size_t> m_content_length;
    std::size_t m_missing = 0;
    std::size_t m_chunk_overhead = 0;
    bool m_http_1_0 = false;
    bool m_chunked = false;
    bool m_has_host = false;
    bool m_awaits_continue = false;
};

} // namespace losos
