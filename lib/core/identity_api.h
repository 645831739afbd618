// GET /identity: both sides of its wire format, the certificate as it also stands in a file, and
// the verdict of whoever asked.
#pragma once

#include "core/edge_answer.h"
#include "core/identity.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// The certificate of a whole text; fails with a sentence that names the field. Fields beyond the
/// five are ignored: they are not signed.
Result<IdentityCertificate> parse_identity_certificate(std::string_view text);

/// Indented, one field a line, in the order of the signed text.
std::string render_identity_certificate(const IdentityCertificate& certificate);

/// A certificate, and the nonce signed with the key in it, if it is.
struct IdentityAnswer {
    IdentityCertificate certificate;
    IdentitySignature nonce_signature;
    friend bool operator==(const IdentityAnswer&, const IdentityAnswer&) = default;
};

Result<IdentityAnswer> parse_identity_answer(std::string_view body);
std::string render_identity_answer(const IdentityAnswer& answer);

/// The path to ask, with the nonce.
std::string identity_path(const IdentityNonce& nonce);

/// Whether an edge is official, or the first reason why not.
enum class IdentityVerdict {
    official,
    /// The asker has no root key, or not exactly one: nothing is official.
    no_root_key,
    /// Nothing came, or the edge cannot answer now.
    no_answer,
    /// The edge says that it has no identity.
    no_identity,
    /// What came is no identity.
    malformed,
    not_signed_by_root,
    /// The certificate is for another URL than the one dialled.
    other_url,
    expired,
    nonce_not_signed,
};

/// What stands behind the verdict, to follow an edge's name: "is official", "has ...".
std::string_view explain(IdentityVerdict verdict);

/// The verdict on a sound answer of the edge at `dialled` to `nonce`; a root key that is not there
/// makes nothing official.
IdentityVerdict judge_identity(const std::optional<IdentityPublicKey>& root,
                               const IdentityAnswer& answer, const HttpUrl& dialled,
                               const IdentityNonce& nonce, UnixTime now);

/// A verdict on any answer, and the certificate where the verdict is `official`.
struct IdentityFinding {
    IdentityVerdict verdict = IdentityVerdict::no_answer;
    std::optional<IdentityCertificate> certificate;
};

/// The same for whatever came; nullopt stands for no answer.
IdentityFinding find_identity(const std::optional<IdentityPublicKey>& root,
                              const std::optional<EdgeAnswer>& answer, const HttpUrl& dialled,
                              const IdentityNonce& nonce, UnixTime now);

} // namespace losos
