#include "io/http_answer_reader.h"

#include <httplib.h>

#include <algorithm>

namespace losos {

namespace {

constexpr std::string_view k_protocol = "HTTP/";
// The library matches the status line by a recursive expression: a long one would overflow the
// stack.
constexpr std::size_t k_line_bytes = 1024;
constexpr std::size_t k_head_bytes = 8 * 1024;

httplib::Request make_get(const std::string& host, const std::string& path) {
    httplib::Request request;
    request.method = "GET";
    request.path = path;
    request.headers = {{"Host", host},
                       {"Accept-Encoding", "identity"},
                       {"Connection", "keep-alive"},
                       {"User-Agent", "losos/" LOSOS_VERSION}};
    return request;
}

/// Gives the library what has arrived so far, and keeps what it writes.
class MemoryStream : public httplib::Stream {
public:
    MemoryStream(std::string_view input, bool has_ended) : m_input(input), m_has_ended(has_ended) {}

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char* target, std::size_t size) override {
        if (m_input.empty() && !m_has_ended) {
            m_wants_more = true;
            return -1;
        }
        const auto count = m_input.copy(target, size);
        m_input.remove_prefix(count);
        return static_cast<ssize_t>(count);
    }
    ssize_t write(const char* source, std::size_t size) override {
        m_written.append(source, size);
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return INVALID_SOCKET; }

    bool wants_more() const { return m_wants_more; }
    bool is_used_up() const { return m_input.empty(); }
    const std::string& written() const { return m_written; }

private:
    std::string_view m_input;
    bool m_has_ended;
    bool m_wants_more = false;
    std::string m_written;
};

/// The library's client, without a connection of its own.
class MemoryClient : public httplib::ClientImpl {
public:
    MemoryClient() : ClientImpl("localhost", 80) {
        set_decompress(false);
        set_keep_alive(true);
    }
    bool exchange(MemoryStream& stream, httplib::Request request, httplib::Response& response) {
        httplib::Error error = httplib::Error::Success;
        return process_request(stream, request, response, false, error);
    }
};

/// Not after a body in chunks: some versions of the library leave its last line feed unread.
bool keeps_connection(const httplib::Response& response) {
    const auto said = response.get_header_value("Connection");
    constexpr std::string_view k_close = "close";
    const auto is_close = std::equal(said.begin(), said.end(), k_close.begin(), k_close.end(),
                                     [](char a, char b) { return (a | 0x20) == b; });
    return response.version == "HTTP/1.1" && !is_close &&
           (response.has_header("Content-Length") || response.status == 204 ||
            response.status == 304);
}

} // namespace

std::string render_http_get(const std::string& host, const std::string& path) {
    MemoryStream stream({}, true);
    httplib::Response response;
    MemoryClient().exchange(stream, make_get(host, path), response);
    return stream.written();
}

HttpAnswerReader::State HttpAnswerReader::take(std::string_view bytes) {
    if (m_state == State::whole && !bytes.empty()) {
        // Nobody asked for more.
        m_may_go_on = false;
    }
    if (m_state == State::open && !bytes.empty()) {
        m_input += bytes;
        read();
    }
    return m_state;
}

HttpAnswerReader::State HttpAnswerReader::end() {
    if (m_state == State::open) {
        m_has_ended = true;
        read();
    }
    return m_state;
}

bool HttpAnswerReader::is_within_bounds() const {
    const std::string_view input = m_input;
    const auto begin = input.substr(0, k_protocol.size());
    const auto line = input.find('\n');
    const auto head = std::min(input.find("\r\n\r\n"), input.find("\n\n"));
    // Chunks of one byte are the dearest framing of a body.
    constexpr std::size_t k_bytes_per_chunked_byte = 8;
    return begin == k_protocol.substr(0, begin.size()) &&
           std::min(line, input.size()) <= k_line_bytes &&
           std::min(head, input.size()) <= k_head_bytes &&
           input.size() <= k_head_bytes + k_bytes_per_chunked_byte * m_limit;
}

HttpAnswerReader::State HttpAnswerReader::read() {
    if (!is_within_bounds()) {
        return m_state = State::odd;
    }
    MemoryStream stream(m_input, m_has_ended);
    httplib::Response response;
    std::string body;
    auto request = make_get("localhost", "/");
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t,
                                   std::uint64_t) {
        body.append(data, std::min(size, m_limit + 1 - std::min(body.size(), m_limit + 1)));
        return body.size() <= m_limit;
    };
    if (MemoryClient().exchange(stream, std::move(request), response)) {
        m_status = response.status;
        m_body = std::move(body);
        m_may_go_on = !m_has_ended && stream.is_used_up() && keeps_connection(response);
        return m_state = State::whole;
    }
    return m_state = stream.wants_more() && body.size() <= m_limit ? State::open : State::odd;
}

} // namespace losos
