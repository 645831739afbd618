// The edge's identity as its two files give it, read again whenever something may have changed. A
// file that cannot be used costs the edge its identity and nothing else.
#pragma once

#include "caller_table.h"
#include "serve_options.h"

#include "base/watch_list.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Never the last good one in the place of a bad one: what an edge shows is what stands in the
/// files.
class IdentitySource {
public:
    /// An edge on a LAN has no identity, whatever its flags say.
    explicit IdentitySource(const ServeOptions& options);

    /// Reads both files and looks whether the certificate still holds. nullptr without a key.
    std::shared_ptr<const EdgeIdentity> read(UnixTime now);

    /// One sentence for each thing the last read() found amiss.
    const std::vector<std::string>& faults() const { return m_faults; }
    void add_watches(WatchList& list) const;

private:
    std::optional<IdentityKey> read_key();
    std::optional<IdentityCertificate> read_certificate(const IdentityKey& key);
    void look_at_term(const IdentityCertificate& certificate, UnixTime now);

    std::optional<std::string> m_key_file;
    std::optional<std::string> m_cert_file;
    std::vector<std::string> m_faults;
};

} // namespace losos
