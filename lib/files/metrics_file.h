// metrics.prom: the registrar's numbers in Prometheus' text format. The registrar writes it;
// node_exporter's textfile collector reads it.
#pragma once

#include "base/duration.h"
#include "base/file.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace losos::metrics_file {

/// Everything that is counted. What is named in the past tense counts since the start.
struct Metrics {
    std::string version;
    UnixTime started_at{0};
    UnixTime reconciled_at{0};

    std::uint64_t tenants_listed = 0;
    std::uint64_t tenants_enrolled = 0;
    std::uint64_t live_direct = 0;
    std::uint64_t live_relayed = 0;
    std::uint64_t ports_free = 0;
    std::uint64_t ports_resting = 0;
    std::uint64_t domains_live = 0;
    std::uint64_t domains_waiting = 0;
    std::uint64_t bindings = 0;
    std::uint64_t routes = 0;
    /// Faults that stand right now, as in status.json.
    std::uint64_t faults = 0;
    /// The last second of the certificate, on an edge that has one.
    std::optional<UnixTime> certified_until;

    /// Answers by route and status. Routes are names of ours, never what a caller sent.
    std::map<std::pair<std::string, int>, std::uint64_t> answered;
    std::uint64_t shed = 0;
    std::uint64_t commits_done = 0;
    std::uint64_t commits_failed = 0;
    std::uint64_t pruned = 0;
    std::uint64_t reconciles_done = 0;
    /// All reconciles together, and the last one.
    std::chrono::microseconds reconcile_time{0};
    std::chrono::microseconds reconcile_last{0};
    std::uint64_t traefik_writes = 0;
    std::uint64_t rathole_writes = 0;
};

std::string render(const Metrics& metrics);

Result<Change> store(const std::string& path, const Metrics& metrics);

} // namespace losos::metrics_file
