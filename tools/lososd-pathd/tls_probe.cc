#include "tls_probe.h"

#include "io/clock.h"
#include "io/http_client.h"

#include <algorithm>

namespace losos {

namespace {

std::optional<EdgeAnswer> ask(const HttpUrl& url, const std::string& path, Duration left,
                              const std::atomic<bool>& abandoned) {
    const HttpTarget target{url.is_https(), url.endpoint().host(), url.endpoint().port().number()};
    HttpBounds bounds;
    bounds.total = std::max(left, Duration(1));
    bounds.body_bytes = k_probe_body_bytes;
    bounds.abandoned = &abandoned;
    const auto answer = http_get(target, path, bounds);
    return answer ? std::optional(EdgeAnswer{answer->status, answer->body}) : std::nullopt;
}

} // namespace

ProbeResult probe_over_tls(const HttpUrl& url, Duration timeout, bool with_key,
                           const std::optional<NoiseKey>& pin, const std::atomic<bool>& abandoned) {
    const auto deadline = monotonic_now() + timeout;
    const auto health = ask(url, "/health", timeout, abandoned);
    if (!health) {
        return ProbeResult::no_answer;
    }
    const auto verdict = judge_health(*health);
    if (verdict != ProbeResult::ok || !with_key) {
        return verdict;
    }
    const auto key = ask(url, "/noise-public-key", deadline - monotonic_now(), abandoned);
    return key ? judge_probed_key(pin, *key, *health) : ProbeResult::no_answer;
}

} // namespace losos
