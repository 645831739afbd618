#include "core/edge_answer.h"

#include "core/ascii.h"

#include <algorithm>

namespace losos {

AnswerKind classify_status(int status) {
    if (status >= 200 && status <= 299) {
        return AnswerKind::good;
    }
    if (status == 401 || status == 403 || status == 409) {
        return AnswerKind::refused;
    }
    if (status >= 500 || status == 429) {
        return AnswerKind::unavailable;
    }
    return AnswerKind::odd;
}

bool is_healthy(const EdgeAnswer& answer) {
    return answer.status == 200 && trim_ascii(answer.body) == "ok";
}

Errc code_of(AnswerKind kind) {
    switch (kind) {
    case AnswerKind::refused:
        return Errc::refused;
    case AnswerKind::good:
    case AnswerKind::unavailable:
        return Errc::no_answer;
    case AnswerKind::odd:
        break;
    }
    return Errc::failed;
}

std::string quote_answer(std::string_view body) {
    constexpr std::size_t k_most = 200;
    auto line = trim_ascii(body);
    line = trim_ascii(line.substr(0, line.find_first_of("\r\n")));
    if (line.size() <= k_most) {
        return std::string(line);
    }
    auto end = k_most;
    const auto continues = [&line](std::size_t at) {
        return (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80;
    };
    while (end > 0 && continues(end)) {
        --end;
    }
    return std::string(line.substr(0, end)) + "...";
}

std::string_view advise_on(int status) {
    if (status >= 300 && status <= 399) {
        return "; that is a redirect, which is not followed: give the URL it leads to";
    }
    if (status == 404 || status == 405) {
        return "; no edge seems to answer there: check the URL";
    }
    return "";
}

std::string without_secret(std::string text, const Token& token) {
    constexpr std::string_view k_instead = "<secret>";
    constexpr std::size_t k_hex_key = 64;
    constexpr std::string_view k_hex = "0123456789abcdefABCDEF";
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = std::min(text.find_first_of(k_hex, at), text.size());
        const auto end = std::min(text.find_first_not_of(k_hex, begin), text.size());
        const bool is_key = end - begin >= k_hex_key;
        if (is_key) {
            text.replace(begin, end - begin, k_instead);
        }
        at = is_key ? begin + k_instead.size() : end;
    }
    const auto& secret = token.reveal();
    for (auto at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + k_instead.size())) {
        text.replace(at, secret.size(), k_instead);
    }
    return text;
}

} // namespace losos
