// status.json: what the registrar says about itself, renewed by every reconcile; no secret in it.
// The registrar writes it; losos-edge reads all of it, losos-uplink only its pulse.
#pragma once

#include "base/duration.h"
#include "base/file.h"
#include "core/names.h"
#include "core/port.h"
#include "core/uplink_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::status_file {

inline constexpr std::size_t k_limit = 64 * 1024 * 1024;

/// Whether this edge carries traffic, or only relays names (no --rathole-config).
enum class Tunnels { rathole, none };

/// By which right a row is live.
enum class Kind { listed, enrolled, relayed };

struct Counts {
    std::int64_t listed = 0;
    std::int64_t enrolled = 0;
    std::int64_t live_direct = 0;
    std::int64_t live_relayed = 0;
    std::int64_t ports_free = 0;
    std::int64_t ports_resting = 0;
    /// Claims to custom domains.
    std::int64_t domains_live = 0;
    std::int64_t domains_waiting = 0;
    /// The route table: boxes that are bound to a gateway, and names that are routed through one.
    std::int64_t bindings = 0;
    std::int64_t routes = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
};

/// One registered row.
struct Row {
    RowId id;
    Kind kind = Kind::listed;
    DnsName hostname;
    Port port;
    /// Since the tenant, or the spoke of a relayed one, was last heard; as of `reconciled`.
    Duration last_contact_age{0};
    friend bool operator==(const Row&, const Row&) = default;
};

/// What the edge tells its LAN.
struct Lan {
    std::string url;
    std::string rathole;
    bool enrolment_open = false;
    friend bool operator==(const Lan&, const Lan&) = default;
};

/// The certificate that this edge shows.
struct Certified {
    std::string name;
    std::string url;
    /// The last second at which it holds.
    UnixTime not_after{0};
    friend bool operator==(const Certified&, const Certified&) = default;
};

/// The zone that this edge writes for its name server.
struct Zone {
    DnsName name;
    std::string file;
    /// The edge's own, to which every name in it leads.
    std::vector<std::string> addresses;
    friend bool operator==(const Zone&, const Zone&) = default;
};

struct Status {
    std::string version;
    std::string boot_id;
    MonotonicTime reconciled{0};
    Duration heartbeat_ttl{0};
    /// Whether the registrar ended by itself, in good order, after writing this.
    bool stopped = false;
    /// When the registrar started.
    UnixTime started_at{0};
    Tunnels tunnels = Tunnels::rathole;
    /// What --public-domain says.
    std::optional<std::string> public_domain;
    Counts counts;
    std::optional<Lan> lan;
    /// nullopt on an edge that is not official; what has expired stands here still.
    std::optional<Certified> identity;
    /// nullopt on an edge without a zone.
    std::optional<Zone> zone;
    /// One plain sentence each; empty when all is well.
    std::vector<std::string> faults;
    std::vector<Row> rows;
    friend bool operator==(const Status&, const Status&) = default;
};

/// Fails with a byte offset. What another version of the registrar leaves out is as if empty.
Result<Status> parse(std::string_view text);

/// The pulse alone, whatever else the text holds.
Result<RegistrarPulse> parse_pulse(std::string_view text);

std::string render(const Status& status);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<Status>> load(const std::string& path);
Result<std::optional<RegistrarPulse>> load_pulse(const std::string& path);

Result<Change> store(const std::string& path, const Status& status);

} // namespace losos::status_file
