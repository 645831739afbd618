// A token that goes into an HTTP Authorization header, as an API server takes it.
#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// Trimmed, 32 to 8,192 characters of the alphabet RFC 6750 has for it. Copies share the secret,
/// which is wiped with the last of them; never formatted, never logged.
class BearerToken {
public:
    /// Fails without saying any of the text.
    static Result<BearerToken> parse(std::string_view text);

    /// The secret itself, for the header.
    const std::string& reveal() const { return m_secret->text; }

private:
    struct Secret {
        explicit Secret(std::string_view token) : text(token) {}
        Secret(const Secret&) = delete;
        Secret& operator=(const Secret&) = delete;
        ~Secret();

        std::string text;
    };

    explicit BearerToken(std::string_view text) : m_secret(std::make_shared<const Secret>(text)) {}
    std::shared_ptr<const Secret> m_secret;
};

} // namespace losos
