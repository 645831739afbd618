// Secrets that callers prove themselves with.
#pragma once

#include "base/crypto.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace losos {

/// A token: trimmed, at least 32 characters and at most 1,024 bytes of UTF-8 without a control
/// character. Wiped when it goes; never formatted, never logged.
class Token {
public:
    /// Fails without saying any of the text.
    static Result<Token> parse(std::string_view text);

    Token(const Token&) = default;
    Token(Token&&) noexcept = default;
    /// By swap, so that the old secret is wiped too.
    Token& operator=(Token other) noexcept {
        m_text.swap(other.m_text);
        return *this;
    }
    ~Token();

    /// The secret itself, for the renderers of files that hold it.
    const std::string& reveal() const { return m_text; }
    /// What an authority keeps to compare with, instead of the secret.
    Digest digest() const { return digest_of(m_text); }
    /// In constant time.
    bool same_as(const Token& other) const;

private:
    explicit Token(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

} // namespace losos
