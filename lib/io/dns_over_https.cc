#include "io/dns_over_https.h"

#include "base/format.h"

#include <utility>

namespace losos {

Result<std::string> ask_dns_over_https(const HttpTarget& resolver, const std::string& path,
                                       Duration patience, const std::atomic<bool>& abandoned) {
    constexpr int k_ok = 200;
    const HttpBounds bounds{patience, k_dns_answer_max, Surplus::fails, &abandoned};
    TRY_ASSIGN(auto answer, http_get(resolver, path, bounds, "application/dns-json"));
    if (answer.status != k_ok) {
        return fail(Errc::no_answer, "the resolver {} answered with {}", resolver.host,
                    answer.status);
    }
    return std::move(answer.body);
}

} // namespace losos
