#include "identity_source.h"

#include "base/format.h"
#include "files/identity_cert_file.h"
#include "files/identity_key_file.h"

#include <utility>

namespace losos {

namespace {

/// How long before its end a certificate is complained of.
constexpr UnixTime k_notice = std::chrono::hours(30 * 24);

} // namespace

IdentitySource::IdentitySource(const ServeOptions& options) {
    if (!options.lan_advertise) {
        m_key_file = options.identity_key_file;
        m_cert_file = options.identity_cert_file;
    }
}

std::shared_ptr<const EdgeIdentity> IdentitySource::read(UnixTime now) {
    m_faults.clear();
    auto key = read_key();
    if (!key) {
        return nullptr;
    }
    auto certificate = read_certificate(*key);
    if (certificate) {
        look_at_term(*certificate, now);
    }
    return std::make_shared<const EdgeIdentity>(
        EdgeIdentity{*std::move(key), std::move(certificate)});
}

std::optional<IdentityKey> IdentitySource::read_key() {
    if (!m_key_file) {
        if (m_cert_file) {
            m_faults.emplace_back("--identity-cert-file is given without --identity-key-file, so "
                                  "this edge is not official");
        }
        return std::nullopt;
    }
    auto key = identity_key_file::load(*m_key_file);
    if (!key) {
        m_faults.push_back(key.error().what + "; until then this edge has no identity");
        return std::nullopt;
    }
    if (!*key) {
        m_faults.push_back(format("{} is missing, so this edge has no identity; make it with "
                                  "losos-registrar identity keygen --identity-key-file {}",
                                  *m_key_file, *m_key_file));
    }
    return *std::move(key);
}

std::optional<IdentityCertificate> IdentitySource::read_certificate(const IdentityKey& key) {
    if (!m_cert_file) {
        return std::nullopt;
    }
    auto certificate = identity_cert_file::load(*m_cert_file);
    if (!certificate) {
        m_faults.push_back(certificate.error().what + "; until then this edge is not official");
        return std::nullopt;
    }
    if (!*certificate) {
        m_faults.push_back(format("{} is missing, so this edge is not official; losos-registrar "
                                  "identity install writes it",
                                  *m_cert_file));
        return std::nullopt;
    }
    if ((*certificate)->public_key != key.public_key()) {
        m_faults.push_back(format("the certificate {} is for another key than {}, so this edge is "
                                  "not official; have the root sign {}",
                                  *m_cert_file, *m_key_file, key.public_key().text()));
        return std::nullopt;
    }
    return *std::move(certificate);
}

void IdentitySource::look_at_term(const IdentityCertificate& certificate, UnixTime now) {
    const auto day = render_day(certificate.not_after);
    if (has_expired(certificate, now)) {
        m_faults.push_back(format("the certificate {} expired on {}, so this edge is no longer "
                                  "official; have the root sign a new one",
                                  *m_cert_file, day));
    } else if (has_expired(certificate, now + k_notice)) {
        m_faults.push_back(format("the certificate {} expires on {}; have the root sign a new one",
                                  *m_cert_file, day));
    }
}

void IdentitySource::add_watches(WatchList& list) const {
    for (const auto& file : {m_key_file, m_cert_file}) {
        if (file) {
            list.add_file(*file);
        }
    }
}

} // namespace losos
