#include "core/identity.h"

#include "base/format.h"
#include "base/utf8.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace losos {
namespace {

constexpr std::size_t k_name_max_bytes = 128;
constexpr std::size_t k_url_max = 300;
constexpr std::size_t k_nonce_min = 32;
constexpr std::size_t k_nonce_max = 128;

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// U+2028 and U+2029 end a line, though they are no control characters.
bool may_stand_in_name(char32_t c) {
    return !is_control_character(c) && c != 0x2028 && c != 0x2029;
}

} // namespace

Result<IdentityName> IdentityName::parse(std::string_view text) {
    if (text.empty() || text.size() > k_name_max_bytes) {
        return fail(Errc::failed, "an edge's name has 1 to {} bytes", k_name_max_bytes);
    }
    for (std::size_t at = 0; at < text.size();) {
        const auto character = utf8_at(text, at);
        if (character.length == 0 || !may_stand_in_name(character.code_point)) {
            return Error{Errc::failed, "an edge's name is one line of valid UTF-8 without control "
                                       "characters"};
        }
        at += character.length;
    }
    return IdentityName(std::string(text));
}

Result<CertifiedUrl> CertifiedUrl::parse(std::string_view text) {
    if (text.size() > k_url_max) {
        return fail(Errc::failed, "a URL has at most {} characters", k_url_max);
    }
    TRY_ASSIGN(auto url, HttpUrl::parse(text));
    return CertifiedUrl(std::string(text), std::move(url));
}

Result<IdentityNonce> IdentityNonce::parse(std::string_view text) {
    if (text.size() < k_nonce_min || text.size() > k_nonce_max ||
        !std::all_of(text.begin(), text.end(), is_hex_digit)) {
        return fail(Errc::failed, "a nonce is {} to {} hex digits", k_nonce_min, k_nonce_max);
    }
    return IdentityNonce(std::string(text));
}

std::string identity_text(const IdentityName& name, const CertifiedUrl& url,
                          const IdentityPublicKey& public_key, UnixTime not_after) {
    return format("losos-edge-identity-v1\n{}\n{}\n{}\n{}\n", name.text(), url.text(),
                  public_key.text(), not_after.count());
}

std::string nonce_text(const IdentityNonce& nonce) {
    return format("losos-edge-nonce-v1\n{}\n", nonce.text());
}

Result<IdentityCertificate> sign_certificate(const IdentityKey& root, IdentityName name,
                                             const HttpUrl& url, IdentityPublicKey public_key,
                                             UnixTime not_after) {
    auto certified = CertifiedUrl::of(url);
    TRY_ASSIGN(auto signature, root.sign(identity_text(name, certified, public_key, not_after)));
    return IdentityCertificate{std::move(name), std::move(certified), std::move(public_key),
                               not_after, std::move(signature)};
}

bool is_signed_by_root(const IdentityCertificate& certificate, const IdentityPublicKey& root) {
    return is_signed_by(root,
                        identity_text(certificate.name, certificate.url, certificate.public_key,
                                      certificate.not_after),
                        certificate.signature);
}

bool has_expired(const IdentityCertificate& certificate, UnixTime now) {
    return now > certificate.not_after;
}

std::string render_day(UnixTime moment) {
    constexpr UnixTime k_end_of_years{253'402'300'800};
    if (moment >= k_end_of_years) {
        return "never";
    }
    const std::chrono::sys_seconds seconds{std::chrono::seconds(moment.count())};
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(seconds)};
    return format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                  static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

} // namespace losos
