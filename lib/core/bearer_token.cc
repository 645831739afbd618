#include "core/bearer_token.h"

#include "base/crypto.h"
#include "base/format.h"
#include "core/ascii.h"

namespace losos {
namespace {

constexpr std::size_t k_shortest = 32;
constexpr std::size_t k_longest = 8192;
constexpr std::string_view k_alphabet =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=";

} // namespace

BearerToken::Secret::~Secret() {
    wipe(text);
}

Result<BearerToken> BearerToken::parse(std::string_view text) {
    const auto trimmed = trim_ascii(text);
    if (trimmed.empty()) {
        return Error{Errc::failed, "a bearer token must not be empty"};
    }
    if (trimmed.size() < k_shortest || trimmed.size() > k_longest) {
        return fail(Errc::failed, "a bearer token must be {} to {} characters", k_shortest,
                    k_longest);
    }
    if (trimmed.find_first_not_of(k_alphabet) != std::string_view::npos) {
        return Error{Errc::failed, "a bearer token must be letters, digits and -._~+/= only"};
    }
    return BearerToken(trimmed);
}

} // namespace losos
