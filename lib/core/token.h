// Secrets that callers prove themselves with.
#pragma once

#include "base/crypto.h"
#include "base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// A token: trimmed, at least 32 characters and at most 1,024 bytes of UTF-8 without a control
/// character. Copies share the secret, which is wiped with the last of them; never formatted, never
/// logged.
class Token {
public:
    /// Fails without saying any of the text.
    static Result<Token> parse(std::string_view text);

    /// The secret itself, for the renderers of files that hold it.
    const std::string& reveal() const { return m_secret->text; }
    /// What an authority keeps to compare with, instead of the secret.
    const Digest& digest() const { return m_secret->digest; }
    /// In constant time.
    bool same_as(const Token& other) const;

private:
    struct Secret {
        explicit Secret(std::string_view token) : text(token), digest(digest_of(token)) {}
        Secret(const Secret&) = delete;
        Secret& operator=(const Secret&) = delete;
        ~Secret() { wipe(text); }

        std::string text;
        Digest digest;
    };

    explicit Token(std::string_view text) : m_secret(std::make_shared<const Secret>(text)) {}
    std::shared_ptr<const Secret> m_secret;
};

} // namespace losos
