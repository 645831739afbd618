#include "files/identity_cert_file.h"

#include "core/identity_api.h"
#include "files/document.h"

namespace losos::identity_cert_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<std::optional<IdentityCertificate>> load(const std::string& path) {
    return document::load<IdentityCertificate>(path, k_limit, parse_identity_certificate);
}

Result<Change> store(const std::string& path, const IdentityCertificate& certificate) {
    return replace_file(path, render_identity_certificate(certificate), k_mode,
                        Durability::durable);
}

} // namespace losos::identity_cert_file
