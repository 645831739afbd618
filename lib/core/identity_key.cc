#include "core/identity_key.h"

#include "base/crypto.h"
#include "base/hex.h"
#include "core/ascii.h"

#include <array>

namespace losos {
namespace {

constexpr std::size_t k_key_digits = 64;
constexpr std::size_t k_signature_digits = 128;

// PKCS#8 as RFC 8410 has it, up to the seed: a sequence of the version, the algorithm Ed25519, and
// the seed as an octet string in an octet string.
constexpr std::string_view k_version_1 = "302e020100300506032b657004220420";
// With the public key behind the seed. There are two ways to tag it, and both are in the field.
constexpr std::string_view k_version_2 = "3051020101300506032b657004220420";
constexpr std::string_view k_public_tag = "812100";
constexpr std::string_view k_version_2_explicit = "3053020101300506032b657004220420";
constexpr std::string_view k_public_tag_explicit = "a123032100";

struct Document {
    std::string_view head;
    std::string_view public_tag;
};

constexpr std::array<Document, 3> k_documents{{{k_version_1, ""},
                                               {k_version_2, k_public_tag},
                                               {k_version_2_explicit, k_public_tag_explicit}}};

/// The bytes of exactly so many digits of either case; empty for anything else.
std::string bytes_of_hex(std::string_view text, std::size_t digits) {
    if (text.size() != digits) {
        return {};
    }
    return hex_decode(fold_ascii_case(text)).value_or(std::string());
}

Error no_private_key() {
    return Error{Errc::failed, "an identity key is an Ed25519 seed of 64 hex digits, or its PKCS#8 "
                               "document in hex"};
}

} // namespace

Result<IdentityPublicKey> IdentityPublicKey::parse(std::string_view text) {
    const auto bytes = bytes_of_hex(trim_ascii(text), k_key_digits);
    if (bytes.empty()) {
        return Error{Errc::failed, "a public key is 64 hex digits"};
    }
    if (!ed25519_is_key(bytes)) {
        return Error{Errc::failed, "the 64 hex digits are no Ed25519 public key"};
    }
    return IdentityPublicKey(hex_encode(bytes));
}

Result<IdentitySignature> IdentitySignature::parse(std::string_view text) {
    const auto bytes = bytes_of_hex(text, k_signature_digits);
    if (bytes.empty()) {
        return Error{Errc::failed, "a signature is 128 hex digits"};
    }
    return IdentitySignature(hex_encode(bytes));
}

IdentityKey::Seed::~Seed() {
    wipe(hex);
}

Result<IdentityKey> IdentityKey::of_seed(std::string_view hex) {
    const auto seed = std::make_shared<const Seed>(std::string(hex));
    auto bytes = hex_decode(hex);
    if (!bytes || hex.size() != k_key_digits) {
        return no_private_key();
    }
    const auto public_key = ed25519_public_key(*bytes);
    wipe(*bytes);
    TRY_ASSIGN(const auto key, public_key);
    return IdentityKey(seed, IdentityPublicKey(hex_encode(key)));
}

Result<IdentityKey> IdentityKey::parse(std::string_view text) {
    const Seed folded(fold_ascii_case(trim_ascii(text)));
    const std::string_view digits = folded.hex;
    if (digits.size() == k_key_digits) {
        return of_seed(digits);
    }
    for (const auto& [head, public_tag] : k_documents) {
        const auto public_digits = public_tag.empty() ? 0 : public_tag.size() + k_key_digits;
        if (!digits.starts_with(head) ||
            digits.size() != head.size() + k_key_digits + public_digits) {
            continue;
        }
        TRY_ASSIGN(auto key, of_seed(digits.substr(head.size(), k_key_digits)));
        const auto rest = digits.substr(head.size() + k_key_digits);
        if (!rest.empty() && rest != std::string(public_tag) + key.public_key().text()) {
            return Error{Errc::failed, "the public key in the PKCS#8 document is not the one of "
                                       "its private key"};
        }
        return key;
    }
    return no_private_key();
}

Result<IdentityKey> IdentityKey::make() {
    auto seed = make_ed25519_seed();
    const Seed hex(hex_encode(seed));
    wipe(seed);
    return of_seed(hex.hex);
}

Result<IdentitySignature> IdentityKey::sign(std::string_view text) const {
    TRY_ASSIGN(auto seed, hex_decode(m_seed->hex));
    const auto signature = ed25519_sign(seed, text);
    wipe(seed);
    TRY_ASSIGN(const auto bytes, signature);
    return IdentitySignature(hex_encode(bytes));
}

bool is_signed_by(const IdentityPublicKey& key, std::string_view text,
                  const IdentitySignature& signature) {
    const auto key_bytes = hex_decode(key.text());
    const auto signature_bytes = hex_decode(signature.text());
    return key_bytes && signature_bytes && ed25519_verify(*key_bytes, text, *signature_bytes);
}

} // namespace losos
