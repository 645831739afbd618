// What makes an edge official (losos-edge-identity(7)): a certificate signed by the root, and the
// two texts that are signed. The fields of a certificate are joined by line feeds there, so none of
// them can hold one.
#pragma once

#include "base/duration.h"
#include "base/result.h"
#include "core/identity_key.h"
#include "core/network.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace losos {

/// What an edge is called: 1 to 128 bytes of UTF-8 on one line, without a control character.
class IdentityName {
public:
    /// Fails without saying any of the text.
    static Result<IdentityName> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend bool operator==(const IdentityName&, const IdentityName&) = default;

private:
    explicit IdentityName(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// The URL as it stands in a certificate. It is signed letter by letter, and compared as a URL.
class CertifiedUrl {
public:
    /// Fails on what HttpUrl fails on.
    static Result<CertifiedUrl> parse(std::string_view text);
    static CertifiedUrl of(const HttpUrl& url) { return {url.text(), url}; }

    const std::string& text() const { return m_text; }
    const HttpUrl& url() const { return m_url; }
    friend bool operator==(const CertifiedUrl&, const CertifiedUrl&) = default;

private:
    CertifiedUrl(std::string text, HttpUrl url) : m_text(std::move(text)), m_url(std::move(url)) {}
    std::string m_text;
    HttpUrl m_url;
};

/// What a caller wants signed: 32 to 128 hex digits of either case.
class IdentityNonce {
public:
    static Result<IdentityNonce> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend bool operator==(const IdentityNonce&, const IdentityNonce&) = default;

private:
    explicit IdentityNonce(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// The latest moment a certificate can name, the largest whole number JSON carries everywhere.
inline constexpr std::int64_t k_not_after_max = 9'007'199'254'740'991;

/// Who an edge is, and until when; `signature` is the root's, if it is.
struct IdentityCertificate {
    IdentityName name;
    CertifiedUrl url;
    IdentityPublicKey public_key;
    /// The last second at which it holds.
    UnixTime not_after;
    IdentitySignature signature;
    friend bool operator==(const IdentityCertificate&, const IdentityCertificate&) = default;
};

/// What the root signs.
std::string identity_text(const IdentityName& name, const CertifiedUrl& url,
                          const IdentityPublicKey& public_key, UnixTime not_after);

/// What an edge signs to prove that the key in its certificate is its own.
std::string nonce_text(const IdentityNonce& nonce);

/// A certificate signed with the root's key.
Result<IdentityCertificate> sign_certificate(const IdentityKey& root, IdentityName name,
                                             const HttpUrl& url, IdentityPublicKey public_key,
                                             UnixTime not_after);

bool is_signed_by_root(const IdentityCertificate& certificate, const IdentityPublicKey& root);

bool has_expired(const IdentityCertificate& certificate, UnixTime now);

/// The day of a moment, as 2027-01-15; what lies beyond the year 9999 is `never`.
std::string render_day(UnixTime moment);

} // namespace losos
