#include "edge_report.h"

#include "base/append.h"
#include "base/format.h"
#include "base/log.h"
#include "core/edge_summary.h"
#include "core/identity.h"
#include "core/plain_age.h"

namespace losos {

namespace {

std::string age_since(UnixTime then, const EdgeReport& report) {
    return plain_age((report.moment.unix - then).count());
}

/// Empty when the registrar did not say.
std::string start_of(const EdgeReport& report) {
    const auto started = report.status->started_at;
    return started > UnixTime(0) ? format(", started {} ago", age_since(started, report)) : "";
}

std::string registrar_line(const EdgeReport& report) {
    constexpr const char* k_start = "; start it with \"systemctl start losos-registrar\"";
    if (report.status_denied) {
        return format("registrar: unknown: {}\n", printable(*report.status_fault));
    }
    if (report.status_fault) {
        return format("registrar: unknown: {}; a registrar that runs writes it anew, see "
                      "\"systemctl status losos-registrar\"\n",
                      printable(*report.status_fault));
    }
    if (!report.status) {
        return format("registrar: not running: {} is not there{}\n", report.status_path, k_start);
    }
    const auto seconds = report.reconciled_age().count() / 1000;
    if (report.registrar_stopped()) {
        return format("registrar: stopped {} ago{}\n", plain_age(seconds), k_start);
    }
    switch (report.registrar) {
    case LiveVerdict::fresh:
        return format("registrar: running{}, last reconcile {} ago\n", start_of(report),
                      plain_age(seconds));
    case LiveVerdict::other_boot:
        return format("registrar: not running since this machine started{}\n", k_start);
    case LiveVerdict::no_list:
    case LiveVerdict::no_status:
    case LiveVerdict::stale:
        break;
    }
    return format("registrar: not running or stuck, last reconcile {} ago; see "
                  "\"systemctl status losos-registrar\"\n",
                  plain_age(seconds));
}

std::string lan_line(const std::optional<status_file::Lan>& lan) {
    if (!lan) {
        return {};
    }
    return format("lan: advertised as {}, tunnels at {}, enrolment {}\n", printable(lan->url),
                  printable(lan->rathole), lan->enrolment_open ? "open" : "closed");
}

std::string identity_line(const std::optional<status_file::Certified>& identity) {
    if (!identity) {
        return {};
    }
    return format("identity: {} at {}, certified until {}\n", printable(identity->name),
                  printable(identity->url), render_day(identity->not_after));
}

/// Nothing of what this edge does not have.
std::string names_lines(const status_file::Status& status) {
    const auto& counts = status.counts;
    std::string text;
    if (status.zone) {
        text += format("zone: {}, in {}\n", status.zone->name.text(), printable(status.zone->file));
    }
    if (status.zone || counts.domains_live + counts.domains_waiting != 0) {
        text +=
            format("domains: {} live, {} waiting\n", counts.domains_live, counts.domains_waiting);
    }
    if (counts.bindings + counts.routes != 0) {
        text += format("routes: {} through gateways; {} bound to one\n", counts.routes,
                       count_boxes(static_cast<std::size_t>(counts.bindings)));
    }
    return text;
}

std::string counts_lines(const status_file::Status& status) {
    const auto& counts = status.counts;
    std::string text = status.tunnels == status_file::Tunnels::rathole
                           ? "tunnels: rathole\n"
                           : "tunnels: none: names only, started without --rathole-config\n";
    text +=
        format("boxes: {} live here, {} relayed by gateways; {} listed and {} enrolled in all\n",
               counts.live_direct, counts.live_relayed, counts.listed, counts.enrolled);
    text += format("ports: {} free, {} resting\n", counts.ports_free, counts.ports_resting);
    text += lan_line(status.lan);
    text += identity_line(status.identity);
    text += names_lines(status);
    for (const auto& fault : status.faults) {
        text += format("fault: {}\n", printable(fault));
    }
    return text;
}

std::string pass_lines(const UplinkStatus& pass, const EdgeReport& report) {
    std::string text = format("last pass: {} ago\n", age_since(pass.at, report));
    text += pass.answered_at
                ? format("hub answered: {} ago\n", age_since(*pass.answered_at, report))
                : "hub answered: never\n";
    if (pass.held_back) {
        text += format("held back: {}\n", printable(*pass.held_back));
    }
    if (pass.error) {
        text += format("error: {}\n", printable(*pass.error));
    }
    return text;
}

std::string box_lines(const UplinkStatus& pass) {
    std::string text;
    for (const auto& box : pass.refused) {
        text += format("refused: {}: {}\n", printable(box.id), printable(box.reason));
    }
    std::string left_out;
    for (const auto& id : pass.left_out) {
        append_item(left_out, id.text());
    }
    if (!left_out.empty()) {
        text +=
            format("left out: {}: a hub takes {} boxes from one gateway\n", left_out, k_relay_max);
    }
    return text;
}

std::string uplink_lines(const EdgeReport& report) {
    if (report.uplink_fault) {
        return format("uplink: unknown: {}\n", printable(*report.uplink_fault));
    }
    if (!report.uplink) {
        return "uplink: not set\n";
    }
    auto text = format("uplink: {} at {}, tunnels to {}\n", report.uplink->id.text(),
                       report.uplink->registrar_url.text(), report.uplink->rathole_endpoint.text());
    if (report.last_pass_fault) {
        text += format("last pass: unknown: {}; the next pass writes it anew\n",
                       printable(*report.last_pass_fault));
    } else {
        text += report.last_pass
                    ? pass_lines(*report.last_pass, report)
                    : "last pass: none yet; see \"systemctl status losos-uplink.timer\"\n";
    }
    text += format("relaying: {}\n", count_boxes(report.relaying()));
    return report.last_pass ? text + box_lines(*report.last_pass) : text;
}

} // namespace

std::string report_as_text(const EdgeReport& report) {
    const auto facts = report.summary_facts();
    auto text = format("in short: {}\n", summarize_edge(facts));
    text += registrar_line(report);
    if (report.registrar_runs()) {
        text += counts_lines(*report.status);
    }
    text += uplink_lines(report);
    for (const auto& step : next_steps(facts)) {
        text += format("next: {}\n", step);
    }
    return text;
}

} // namespace losos
