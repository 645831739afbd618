// Ed25519 keys and signatures as an edge's identity spells them: hexadecimal, lower case when
// written (losos-edge-identity(7)).
#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// 64 hex digits.
class IdentityPublicKey {
public:
    /// Trims and folds the case; fails on what no private key can belong to.
    static Result<IdentityPublicKey> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend bool operator==(const IdentityPublicKey&, const IdentityPublicKey&) = default;

private:
    friend class IdentityKey;
    explicit IdentityPublicKey(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// 128 hex digits. Whose, and of what, is found out by is_signed_by().
class IdentitySignature {
public:
    /// Folds the case.
    static Result<IdentitySignature> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend bool operator==(const IdentitySignature&, const IdentitySignature&) = default;

private:
    friend class IdentityKey;
    explicit IdentitySignature(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// A private key. Copies share the secret, which is wiped with the last of them; never formatted,
/// never logged.
class IdentityKey {
public:
    /// The seed in 64 hex digits, or a PKCS#8 document in hexadecimal, of version 1 or with the
    /// public key in it, which must fit. Trims and folds the case; says nothing of the text.
    static Result<IdentityKey> parse(std::string_view text);
    static Result<IdentityKey> make();

    const IdentityPublicKey& public_key() const { return m_public_key; }
    /// The seed in hexadecimal, for the file that holds it.
    const std::string& reveal() const { return m_seed->hex; }
    Result<IdentitySignature> sign(std::string_view text) const;

private:
    struct Seed {
        explicit Seed(std::string digits) : hex(std::move(digits)) {}
        Seed(const Seed&) = delete;
        Seed& operator=(const Seed&) = delete;
        ~Seed();

        std::string hex;
    };

    IdentityKey(std::shared_ptr<const Seed> seed, IdentityPublicKey public_key)
        : m_seed(std::move(seed)), m_public_key(std::move(public_key)) {}
    static Result<IdentityKey> of_seed(std::string_view hex);

    std::shared_ptr<const Seed> m_seed;
    IdentityPublicKey m_public_key;
};

/// Whether the key's owner made the signature of exactly this text.
bool is_signed_by(const IdentityPublicKey& key, std::string_view text,
                  const IdentitySignature& signature);

} // namespace losos
