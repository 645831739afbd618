#include "io/http_request_rules.h"

#include <algorithm>
#include <charconv>

namespace losos {

namespace {

char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool is_token(std::string_view text) {
    static constexpr std::string_view k_characters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
    return !text.empty() && text.find_first_not_of(k_characters) == std::string_view::npos;
}

/// The values of one header.
std::vector<std::string_view> values_of(const RequestHead& head, std::string_view name) {
    std::vector<std::string_view> values;
    for (const auto& [key, value] : head.headers) {
        if (equal_ignoring_case(key, name)) {
            values.push_back(value);
        }
    }
    return values;
}

std::optional<HeadRefusal> check_length(std::string_view length, std::string_view method,
                                        std::size_t body_bytes) {
    std::size_t bytes = 0;
    const char* end = length.data() + length.size();
    const auto [stop, fault] = std::from_chars(length.data(), end, bytes);
    if (length.empty() || stop != end || length.front() < '0' || length.front() > '9') {
        return HeadRefusal{400, "the length of the body is malformed"};
    }
    if (fault != std::errc{} || bytes > body_bytes) {
        return HeadRefusal{413, "the body is larger than this server takes"};
    }
    if (bytes > 0 && method != "POST") {
        return HeadRefusal{400, "this method takes no body"};
    }
    return std::nullopt;
}

std::optional<HeadRefusal> check_body_headers(const RequestHead& head, std::size_t body_bytes) {
    const auto lengths = values_of(head, "Content-Length");
    const auto codings = values_of(head, "Transfer-Encoding");
    if (lengths.size() + codings.size() > 1) {
        return HeadRefusal{400, "the length of the body is said twice"};
    }
    if (!lengths.empty()) {
        return check_length(lengths.front(), head.method, body_bytes);
    }
    if (!codings.empty() && (!equal_ignoring_case(codings.front(), "chunked") ||
                             head.version != "HTTP/1.1" || head.method != "POST")) {
        return HeadRefusal{400, "the transfer encoding is not supported"};
    }
    return std::nullopt;
}

} // namespace

bool wants_close(const RequestHead& head) {
    for (std::string_view value : values_of(head, "Connection")) {
        while (!value.empty()) {
            const auto end = std::min(value.find(','), value.size());
            auto option = value.substr(0, end);
            option.remove_prefix(std::min(option.find_first_not_of(" \t"), option.size()));
            option = option.substr(0, option.find_last_not_of(" \t") + 1);
            if (equal_ignoring_case(option, "close")) {
                return true;
            }
            value.remove_prefix(std::min(end + 1, value.size()));
        }
    }
    return false;
}

std::optional<HeadRefusal> check_head(const RequestHead& head, std::size_t body_bytes) {
    if (head.target.empty() || head.target.front() != '/') {
        return HeadRefusal{400, "the request target must be a path"};
    }
    const bool named = std::all_of(head.headers.begin(), head.headers.end(),
                                   [](const auto& header) { return is_token(header.first); });
    if (!named) {
        return HeadRefusal{400, "a header's name is malformed"};
    }
    if (values_of(head, "Host").size() > 1) {
        return HeadRefusal{400, "there must be one Host header"};
    }
    if (const auto refusal = check_body_headers(head, body_bytes)) {
        return refusal;
    }
    if (!values_of(head, "Content-Encoding").empty()) {
        return HeadRefusal{415, "an encoded body is not supported"};
    }
    for (const auto& type : values_of(head, "Content-Type")) {
        if (equal_ignoring_case(type.substr(0, 10), "multipart/")) {
            return HeadRefusal{415, "a multipart body is not supported"};
        }
    }
    return std::nullopt;
}

} // namespace losos
