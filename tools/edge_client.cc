#include "edge_client.h"

#include "base/format.h"

#include <utility>

namespace losos {

namespace {

HttpTarget target_of(const HttpUrl& url) {
    return {url.is_https(), url.endpoint().host(), url.endpoint().port().number()};
}

HttpBounds within(Duration timeout, const std::atomic<bool>* abandoned) {
    HttpBounds bounds;
    bounds.total = timeout;
    bounds.abandoned = abandoned;
    return bounds;
}

std::optional<EdgeAnswer> as_edge_answer(const Result<HttpAnswer>& answer) {
    if (!answer) {
        return std::nullopt;
    }
    return EdgeAnswer{answer->status, answer->body};
}

std::string cause_of(const HttpUrl& edge, const std::string& path, const Result<HttpAnswer>& answer,
                     std::string_view fault) {
    return answer ? unwelcome_answer(edge, path, *answer, fault).what : answer.error().what;
}

std::string fault_of_key(const Result<HttpAnswer>& answer) {
    if (!answer) {
        return {};
    }
    const auto key = NoiseKey::parse(answer->body);
    return key ? "" : key.error().what;
}

} // namespace

Result<HttpAnswer> ask_edge(const HttpUrl& edge, const std::string& path, Duration timeout,
                            const std::atomic<bool>* abandoned) {
    return http_get(target_of(edge), path, within(timeout, abandoned));
}

Result<HttpAnswer> tell_edge(const HttpUrl& edge, const std::string& path, const std::string& body,
                             const Token& token, Duration timeout,
                             const std::atomic<bool>* abandoned) {
    TRY_ASSIGN(auto answer,
               http_post_json(target_of(edge), path, body, within(timeout, abandoned)));
    if (classify_status(answer.status) != AnswerKind::good) {
        answer.body = without_secret(std::move(answer.body), token);
    }
    return answer;
}

Error unwelcome_answer(const HttpUrl& edge, const std::string& path, const HttpAnswer& answer,
                       std::string_view fault) {
    const auto kind = classify_status(answer.status);
    const auto said = quote_answer(answer.body);
    if (kind == AnswerKind::good) {
        return fail(code_of(kind),
                    "{} answered {} with {}, but not as an edge does: {}; check the URL",
                    edge.text(), path, answer.status, fault);
    }
    return fail(code_of(kind), "{} answered {} with {}{}{}{}", edge.text(), path, answer.status,
                said.empty() ? "" : ": ", said, advise_on(answer.status));
}

NoiseFinding ask_noise_key(const HttpUrl& edge, const std::optional<NoiseKey>& pin,
                           Duration timeout) {
    static const std::string k_key = "/noise-public-key";
    static const std::string k_health = "/health";
    const auto key = ask_edge(edge, k_key, timeout);
    NoiseFinding finding;
    if (!needs_health(pin, as_edge_answer(key))) {
        finding.judgement = judge_noise_key(pin, as_edge_answer(key), std::nullopt);
        if (finding.judgement.verdict == NoiseVerdict::no_answer) {
            finding.cause = cause_of(edge, k_key, key, fault_of_key(key));
        }
        return finding;
    }
    const auto health = ask_edge(edge, k_health, timeout);
    finding.judgement = judge_noise_key(pin, as_edge_answer(key), as_edge_answer(health));
    if (finding.judgement.verdict == NoiseVerdict::no_answer) {
        finding.cause = cause_of(edge, k_health, health, "an edge says \"ok\" there");
    }
    return finding;
}

Result<Duration> parse_timeout(std::string_view text) {
    constexpr Duration k_longest{600000};
    TRY_ASSIGN(const auto timeout, parse_duration(text));
    if (timeout > k_longest) {
        return fail(Errc::usage, "a timeout is at most {}", render_duration(k_longest));
    }
    return timeout;
}

} // namespace losos
