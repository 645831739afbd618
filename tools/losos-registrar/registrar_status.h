// What the registrar says about itself: status.json, metrics.prom, and each fault once in the log.
#pragma once

#include "serve_options.h"

#include "core/domain_table.h"
#include "core/edge_state.h"
#include "core/identity.h"
#include "core/lan_advert.h"
#include "files/metrics_file.h"
#include "files/status_file.h"
#include "io/http_server.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace losos {

/// Counters and standing faults, and the two files that show them.
class RegistrarStatus {
public:
    RegistrarStatus(const ServeOptions& options, std::string boot_id,
                    const std::optional<LanAdvert>& advert, UnixTime started);

    /// The faults that stand after this reconcile. Each new one is logged, each that went too.
    void set_faults(std::vector<std::string> faults);
    /// The certificate that the edge shows, if it shows one.
    void set_identity(const std::optional<IdentityCertificate>& certificate);
    /// What the custom domains and the route table came to in this reconcile.
    void set_names(const ClaimCounts& claims, std::size_t routes);
    void set_lan(const LanAdvert& advert);
    void set_stopped() { m_status.stopped = true; }
    void count_commit(bool done);
    void count_pruned() { ++m_metrics.pruned; }
    void count_reconcile(std::chrono::microseconds took);

    /// Writes both files. `last_contacts` has one moment for each row of the state, in their order.
    Result<void> store(const EdgeState& state, const HttpCounters& counters,
                       const std::vector<MonotonicTime>& last_contacts, Instant now,
                       std::size_t traefik_writes, std::size_t rathole_writes);

private:
    std::string m_status_file;
    std::string m_metrics_file;
    PortRange m_ports;
    ClaimCounts m_claims;
    std::size_t m_routes = 0;
    status_file::Status m_status;
    metrics_file::Metrics m_metrics;
    std::set<std::string> m_faults;
};

} // namespace losos
