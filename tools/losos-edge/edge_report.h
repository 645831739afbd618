// What `losos-edge status` knows: how the registrar is, and how the uplink is.
#pragma once

#include "edge_files.h"

#include "core/edge_summary.h"
#include "core/uplink_plan.h"
#include "files/status_file.h"
#include "files/uplink_file.h"
#include "files/uplink_status_file.h"

#include <optional>
#include <string>

namespace losos {

/// One moment, and what it takes to judge files by it.
struct ReportMoment {
    std::string boot_id;
    MonotonicTime monotonic;
    UnixTime unix;
};

struct EdgeReport {
    ReportMoment moment;
    std::string status_path;
    /// `no_list` never occurs here.
    LiveVerdict registrar = LiveVerdict::no_status;
    std::optional<status_file::Status> status;
    /// Why status.json cannot be read.
    std::optional<std::string> status_fault;
    bool status_denied = false;

    std::optional<UplinkConfig> uplink;
    /// Why uplink.json cannot be read.
    std::optional<std::string> uplink_fault;
    bool uplink_denied = false;
    /// The last pass, if it was one for this hub and id.
    std::optional<UplinkStatus> last_pass;
    /// Why uplink-status.json cannot be read.
    std::optional<std::string> last_pass_fault;

    bool registrar_stopped() const {
        return status && status->stopped && registrar != LiveVerdict::other_boot;
    }
    bool registrar_runs() const { return registrar == LiveVerdict::fresh && !registrar_stopped(); }
    /// How long ago the registrar last said that it is well; only with a status of this boot.
    Duration reconciled_age() const;
    /// Whether anything here is of a hub or a gateway.
    bool is_of_an_edge() const { return status || status_fault || uplink || uplink_fault; }
    /// What the first and the last lines are made of.
    EdgeSummaryFacts summary_facts() const;
    /// Boxes the hub relays.
    std::size_t relaying() const { return last_pass ? last_pass->accepted.size() : 0; }
};

/// Reads every file; what cannot be read is part of the report.
Result<EdgeReport> make_report(const EdgeFiles& files);

/// For people.
std::string report_as_text(const EdgeReport& report);
/// For scripts: one JSON document.
std::string report_as_json(const EdgeReport& report);

} // namespace losos
