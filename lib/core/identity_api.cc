#include "core/identity_api.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "base/json_writer.h"

#include <utility>

namespace losos {
namespace {

/// What `parse` makes of a required text, or an error that names the field.
template <class T>
Result<T> read(const Json& json, std::string_view key) {
    TRY_ASSIGN(const auto text, json.required_text(key));
    auto value = T::parse(text);
    if (!value) {
        return fail(Errc::failed, "field \"{}\" (byte {}): {}", key, json.find(key)->offset(),
                    value.error().what);
    }
    return value;
}

Result<IdentityCertificate> read_certificate(const Json& json) {
    TRY_ASSIGN(auto name, read<IdentityName>(json, "name"));
    TRY_ASSIGN(auto url, read<CertifiedUrl>(json, "url"));
    TRY_ASSIGN(auto public_key, read<IdentityPublicKey>(json, "public_key"));
    TRY_ASSIGN(const auto not_after, json.required_whole("not_after", 0, k_not_after_max));
    TRY_ASSIGN(auto signature, read<IdentitySignature>(json, "signature"));
    return IdentityCertificate{std::move(name), std::move(url), std::move(public_key),
                               UnixTime(not_after), std::move(signature)};
}

void write_certificate(JsonWriter& json, const IdentityCertificate& certificate) {
    json.begin_object();
    json.text("name", certificate.name.text());
    json.text("url", certificate.url.text());
    json.text("public_key", certificate.public_key.text());
    json.whole("not_after", certificate.not_after.count());
    json.text("signature", certificate.signature.text());
    json.end_object();
}

} // namespace

Result<IdentityCertificate> parse_identity_certificate(std::string_view text) {
    TRY_ASSIGN(const auto json, Json::parse(text));
    return read_certificate(json);
}

std::string render_identity_certificate(const IdentityCertificate& certificate) {
    JsonWriter json(JsonWriter::Style::indented);
    write_certificate(json, certificate);
    return std::move(json).finish();
}

Result<IdentityAnswer> parse_identity_answer(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY(json.required_members("cert"));
    TRY_ASSIGN(auto certificate, read_certificate(*json.find("cert")));
    TRY_ASSIGN(auto signature, read<IdentitySignature>(json, "nonce_signature"));
    return IdentityAnswer{std::move(certificate), std::move(signature)};
}

std::string render_identity_answer(const IdentityAnswer& answer) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.key("cert");
    write_certificate(json, answer.certificate);
    json.text("nonce_signature", answer.nonce_signature.text());
    json.end_object();
    return std::move(json).finish();
}

std::string identity_path(const IdentityNonce& nonce) {
    return "/identity?nonce=" + nonce.text();
}

std::string_view explain(IdentityVerdict verdict) {
    switch (verdict) {
    case IdentityVerdict::official:
        return "is official";
    case IdentityVerdict::no_root_key:
        return "is not official: there is no root key to check it with";
    case IdentityVerdict::no_answer:
        return "is not official: it did not say who it is";
    case IdentityVerdict::no_identity:
        return "is not official: it has no identity";
    case IdentityVerdict::malformed:
        return "is not official: what it answered is no identity";
    case IdentityVerdict::not_signed_by_root:
        return "is not official: the root key did not sign its certificate";
    case IdentityVerdict::other_url:
        return "is not official: its certificate is for another URL than the one dialled";
    case IdentityVerdict::expired:
        return "is not official: its certificate has expired";
    case IdentityVerdict::nonce_not_signed:
        return "is not official: it did not prove that the key in its certificate is its own";
    }
    return "is not official";
}

IdentityVerdict judge_identity(const std::optional<IdentityPublicKey>& root,
                               const IdentityAnswer& answer, const HttpUrl& dialled,
                               const IdentityNonce& nonce, UnixTime now) {
    const auto& certificate = answer.certificate;
    if (!root) {
        return IdentityVerdict::no_root_key;
    }
    if (!is_signed_by_root(certificate, *root)) {
        return IdentityVerdict::not_signed_by_root;
    }
    if (certificate.url.url() != dialled) {
        return IdentityVerdict::other_url;
    }
    if (has_expired(certificate, now)) {
        return IdentityVerdict::expired;
    }
    if (!is_signed_by(certificate.public_key, nonce_text(nonce), answer.nonce_signature)) {
        return IdentityVerdict::nonce_not_signed;
    }
    return IdentityVerdict::official;
}

IdentityFinding find_identity(const std::optional<IdentityPublicKey>& root,
                              const std::optional<EdgeAnswer>& answer, const HttpUrl& dialled,
                              const IdentityNonce& nonce, UnixTime now) {
    constexpr int k_ok = 200;
    constexpr int k_not_found = 404;
    if (!root) {
        return {IdentityVerdict::no_root_key, std::nullopt};
    }
    if (!answer || classify_status(answer->status) == AnswerKind::unavailable) {
        return {IdentityVerdict::no_answer, std::nullopt};
    }
    if (answer->status == k_not_found) {
        return {IdentityVerdict::no_identity, std::nullopt};
    }
    if (answer->status != k_ok) {
        return {IdentityVerdict::malformed, std::nullopt};
    }
    auto identity = parse_identity_answer(answer->body);
    if (!identity) {
        return {IdentityVerdict::malformed, std::nullopt};
    }
    const auto verdict = judge_identity(root, *identity, dialled, nonce, now);
    if (verdict != IdentityVerdict::official) {
        return {verdict, std::nullopt};
    }
    return {verdict, std::move(identity->certificate)};
}

} // namespace losos
