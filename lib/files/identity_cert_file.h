// identity.cert.json: the certificate that makes an edge official. `losos-registrar identity
// install` writes it; the registrar reads and serves it. losos-edge-identity(7).
#pragma once

#include "base/file.h"
#include "core/identity.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::identity_cert_file {

inline constexpr std::size_t k_limit = 64 * 1024;

/// Loaded, absent (nullopt), or Errc::unusable when it makes no sense. Whether it holds is not
/// looked at.
Result<std::optional<IdentityCertificate>> load(const std::string& path);

Result<Change> store(const std::string& path, const IdentityCertificate& certificate);

} // namespace losos::identity_cert_file
