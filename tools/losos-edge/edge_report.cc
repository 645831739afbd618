#include "edge_report.h"

#include "io/clock.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace losos {

namespace {

/// Whether it is this user's rights that keep the file from being read.
bool is_denied(const std::string& path) {
    return ::access(path.c_str(), R_OK) != 0 && errno == EACCES;
}

void read_registrar(const EdgeFiles& files, EdgeReport& report) {
    report.status_path = files.status();
    auto status = status_file::load(report.status_path);
    if (!status) {
        report.status_fault = status.error().what;
        report.status_denied = is_denied(report.status_path);
        return;
    }
    report.status = *std::move(status);
    std::optional<RegistrarPulse> pulse;
    if (report.status) {
        pulse = RegistrarPulse{report.status->boot_id, report.status->reconciled,
                               report.status->heartbeat_ttl};
    }
    report.registrar = judge_live_list(true, pulse, report.moment.boot_id, report.moment.monotonic);
}

void read_uplink(const EdgeFiles& files, EdgeReport& report) {
    auto uplink = uplink_file::load(files.uplink());
    if (!uplink) {
        report.uplink_fault = uplink.error().what;
        report.uplink_denied = is_denied(files.uplink());
        return;
    }
    report.uplink = *std::move(uplink);
    auto pass = uplink_status_file::load(files.uplink_status());
    if (!pass) {
        report.last_pass_fault = pass.error().what;
    }
    const bool is_ours = report.uplink && pass && *pass &&
                         (*pass)->hub == report.uplink->registrar_url.text() &&
                         (*pass)->id == report.uplink->id.text();
    if (is_ours) {
        report.last_pass = *std::move(pass);
    }
}

} // namespace

Duration EdgeReport::reconciled_age() const {
    return status ? std::max<Duration>(Duration(0), moment.monotonic - status->reconciled)
                  : Duration(0);
}

EdgeSummaryFacts EdgeReport::summary_facts() const {
    using Facts = EdgeSummaryFacts;
    Facts facts;
    facts.kind =
        uplink || uplink_fault || (status && status->lan) ? Facts::Kind::gateway : Facts::Kind::hub;
    if (status_fault) {
        facts.registrar = status_denied ? Facts::Registrar::denied : Facts::Registrar::unknown;
    } else if (registrar_runs()) {
        facts.registrar = Facts::Registrar::runs;
    }
    if (status) {
        facts.faults = status->faults.size();
        facts.listed = static_cast<std::size_t>(status->counts.listed);
        facts.live_direct = static_cast<std::size_t>(status->counts.live_direct);
        facts.live_relayed = static_cast<std::size_t>(status->counts.live_relayed);
    }
    if (uplink_fault) {
        facts.uplink = uplink_denied ? Facts::Uplink::denied : Facts::Uplink::unusable;
    } else if (uplink) {
        facts.uplink = !last_pass                                 ? Facts::Uplink::untried
                       : last_pass->error || last_pass->held_back ? Facts::Uplink::failing
                                                                  : Facts::Uplink::well;
    }
    facts.relaying = relaying();
    facts.not_taken = last_pass ? last_pass->refused.size() + last_pass->left_out.size() : 0;
    return facts;
}

Result<EdgeReport> make_report(const EdgeFiles& files) {
    EdgeReport report;
    TRY_ASSIGN(auto boot_id, read_boot_id());
    report.moment = {std::move(boot_id), monotonic_now(), unix_now()};
    read_registrar(files, report);
    read_uplink(files, report);
    return report;
}

} // namespace losos
