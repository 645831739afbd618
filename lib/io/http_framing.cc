#include "io/http_framing.h"

#include "base/format.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace losos {

namespace {

constexpr std::string_view k_blanks = " \t";

bool is_token_char(char c) {
    static constexpr std::string_view k_punctuation = "!#$%&'*+-.^_`|~";
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           k_punctuation.find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_visible(char c) {
    return c > ' ' && c < '\x7f';
}

bool is_value_char(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\t' || (byte >= ' ' && byte != 0x7f);
}

char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return to_lower(x) == to_lower(y); });
}

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(k_blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

std::optional<std::size_t> parse_number(std::string_view text, int base) {
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base);
    if (text.empty() || stop != end || error != std::errc()) {
        return std::nullopt;
    }
    return number;
}

bool lists_token(std::string_view list, std::string_view wanted) {
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        if (equal_ignoring_case(trim(list.substr(0, comma)), wanted)) {
            return true;
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

} // namespace

RequestFramer::State RequestFramer::advance(std::string& input) {
    std::string_view rest = input;
    State state = State::more;
    std::size_t before = 0;
    Part part = m_part;
    do {
        before = rest.size();
        part = m_part;
        state = step(rest);
    } while (state == State::more && (rest.size() != before || m_part != part));
    input.erase(0, input.size() - rest.size());
    return state;
}

bool RequestFramer::take_continue() {
    return std::exchange(m_awaits_continue, false);
}

RequestFramer::State RequestFramer::step(std::string_view& rest) {
    switch (m_part) {
    case Part::body:
        return take_bytes(rest, Part::done);
    case Part::chunk:
        return take_bytes(rest, Part::chunk_end);
    case Part::request_line:
    case Part::headers:
    case Part::chunk_size:
    case Part::chunk_end:
    case Part::trailers:
        return take_line(rest);
    case Part::done:
        break;
    }
    return State::complete;
}

RequestFramer::State RequestFramer::take_bytes(std::string_view& rest, Part next) {
    const auto count = std::min(m_missing, rest.size());
    m_request.body.append(rest.substr(0, count));
    rest.remove_prefix(count);
    m_missing -= count;
    if (m_missing == 0) {
        m_part = next;
    }
    return State::more;
}

RequestFramer::State RequestFramer::take_line(std::string_view& rest) {
    const auto feed = rest.find('\n');
    if (std::min(feed, rest.size()) > m_limits.line_bytes) {
        return m_part == Part::request_line ? refuse(414, "the request line is too long")
                                            : refuse(431, "a header line is too long");
    }
    if (feed == std::string_view::npos) {
        return State::more;
    }
    if (feed == 0 || rest[feed - 1] != '\r') {
        return refuse(400, "a line does not end in CR LF");
    }
    const auto line = rest.substr(0, feed - 1);
    rest.remove_prefix(feed + 1);
    switch (m_part) {
    case Part::chunk_size:
        return take_chunk_size(line);
    case Part::chunk_end:
        m_part = Part::chunk_size;
        return line.empty() ? State::more : refuse(400, "a chunk is longer than its size says");
    case Part::request_line:
    case Part::headers:
    case Part::trailers:
    case Part::body:
    case Part::chunk:
    case Part::done:
        break;
    }
    m_head_bytes += feed + 1;
    if (m_head_bytes > m_limits.head_bytes) {
        return refuse(431, "the headers are too large");
    }
    return m_part == Part::request_line ? take_request_line(line) : take_header(line);
}

RequestFramer::State RequestFramer::take_request_line(std::string_view line) {
    if (line.empty()) {
        return State::more;
    }
    const auto first = std::min(line.find(' '), line.size());
    const auto last = line.rfind(' ');
    const auto method = line.substr(0, first);
    if (!is_token(method) || last == std::string_view::npos || last <= first) {
        return refuse(400, "the request line is malformed");
    }
    m_request.method = method;
    const auto target = line.substr(first + 1, last - first - 1);
    if (target.empty() || !std::all_of(target.begin(), target.end(), is_visible)) {
        return refuse(400, "the request line is malformed");
    }
    if (target.front() != '/' || target.find('#') != std::string_view::npos) {
        return refuse(400, "the request target must be a path");
    }
    m_request.target = target;
    const auto version = line.substr(last + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        return refuse(version.substr(0, 5) == "HTTP/" ? 505 : 400,
                      "only HTTP/1.0 and HTTP/1.1 are understood");
    }
    m_http_1_0 = version == "HTTP/1.0";
    m_request.close = m_http_1_0;
    m_part = Part::headers;
    return State::more;
}

RequestFramer::State RequestFramer::take_header(std::string_view line) {
    if (line.empty()) {
        if (m_part == Part::headers) {
            return end_head();
        }
        m_part = Part::done;
        return State::complete;
    }
    if (++m_headers > m_limits.headers) {
        return refuse(431, "there are too many headers");
    }
    const auto colon = std::min(line.find(':'), line.size());
    const auto name = line.substr(0, colon);
    if (colon == line.size() || !is_token(name) ||
        !std::all_of(line.begin(), line.end(), is_value_char)) {
        return refuse(400, "a header line is malformed");
    }
    // A trailer changes nothing about a request that is already framed.
    return m_part == Part::trailers ? State::more
                                    : take_known_header(name, trim(line.substr(colon + 1)));
}

RequestFramer::State RequestFramer::take_known_header(std::string_view name,
                                                      std::string_view value) {
    if (equal_ignoring_case(name, "content-length")) {
        return take_content_length(value);
    }
    if (equal_ignoring_case(name, "transfer-encoding")) {
        return take_transfer_encoding(value);
    }
    if (equal_ignoring_case(name, "host") && std::exchange(m_has_host, true)) {
        return refuse(400, "there is more than one Host header");
    }
    if (equal_ignoring_case(name, "connection")) {
        m_request.close = m_request.close || lists_token(value, "close");
    } else if (equal_ignoring_case(name, "content-encoding")) {
        // A decoded body could be a thousand times the size of what was sent.
        if (!equal_ignoring_case(value, "identity")) {
            return refuse(415, "an encoded body is not accepted");
        }
    } else if (equal_ignoring_case(name, "expect")) {
        if (!equal_ignoring_case(value, "100-continue")) {
            return refuse(417, "the expectation is not understood");
        }
        m_awaits_continue = !m_http_1_0;
    } else if (equal_ignoring_case(name, "x-forwarded-for")) {
        const auto comma = value.rfind(',');
        const auto start = comma == std::string_view::npos ? 0 : comma + 1;
        m_request.forwarded_for = std::string(trim(value.substr(start)));
    }
    return State::more;
}

RequestFramer::State RequestFramer::take_content_length(std::string_view value) {
    if (m_content_length) {
        return refuse(400, "there is more than one Content-Length header");
    }
    const bool digits = !value.empty() && std::all_of(value.begin(), value.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) {
        return refuse(400, "the Content-Length is not a number");
    }
    const auto length = parse_number(value, 10);
    if (!length || *length > m_limits.body_bytes) {
        return refuse_body_size();
    }
    m_content_length = length;
    return State::more;
}

RequestFramer::State RequestFramer::take_transfer_encoding(std::string_view value) {
    if (m_chunked || m_http_1_0 || !equal_ignoring_case(value, "chunked")) {
        return refuse(400, "the Transfer-Encoding is not accepted");
    }
    m_chunked = true;
    return State::more;
}

RequestFramer::State RequestFramer::end_head() {
    if (m_chunked && m_content_length) {
        return refuse(400, "there is both a Content-Length and a Transfer-Encoding");
    }
    m_missing = m_content_length.value_or(0);
    if (!m_chunked && m_missing == 0) {
        m_awaits_continue = false;
        m_part = Part::done;
        return State::complete;
    }
    m_part = m_chunked ? Part::chunk_size : Part::body;
    return State::more;
}

RequestFramer::State RequestFramer::take_chunk_size(std::string_view line) {
    const auto digits = line.substr(0, line.find_first_of("; \t"));
    const auto size = parse_number(digits, 16);
    if (!size || !std::all_of(line.begin(), line.end(), is_value_char)) {
        return refuse(400, "a chunk size is malformed");
    }
    // Tiny chunks with long extensions would let a small body cost any amount of reading.
    m_chunk_overhead += line.size() + 4;
    if (*size > m_limits.body_bytes - m_request.body.size() ||
        m_chunk_overhead > 8 * m_limits.body_bytes + m_limits.line_bytes) {
        return refuse_body_size();
    }
    m_missing = *size;
    m_part = *size == 0 ? Part::trailers : Part::chunk;
    return State::more;
}

RequestFramer::State RequestFramer::refuse(int status, std::string sentence) {
    m_refusal = Refusal{status, std::move(sentence)};
    m_awaits_continue = false;
    return State::refused;
}

RequestFramer::State RequestFramer::refuse_body_size() {
    return refuse(413, format("the body is larger than {} bytes", m_limits.body_bytes));
}

} // namespace losos
