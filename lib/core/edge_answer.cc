#include "core/edge_answer.h"

#include "core/ascii.h"

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

std::string without_secret(std::string text, const Token& token) {
    constexpr std::string_view k_instead = "<secret>";
    const auto& secret = token.reveal();
    for (auto at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + k_instead.size())) {
        text.replace(at, secret.size(), k_instead);
    }
    return text;
}

} // namespace losos
