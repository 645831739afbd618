#include "edge_report.h"

#include "base/json_writer.h"
#include "core/edge_summary.h"

namespace losos {

namespace {

std::string_view state_of(const EdgeReport& report) {
    if (report.status_fault) {
        return "unknown";
    }
    if (report.registrar_stopped()) {
        return "stopped";
    }
    switch (report.registrar) {
    case LiveVerdict::fresh:
        return "running";
    case LiveVerdict::stale:
        return "stale";
    case LiveVerdict::other_boot:
        return "not_since_boot";
    case LiveVerdict::no_list:
    case LiveVerdict::no_status:
        break;
    }
    return "absent";
}

void text_or_null(JsonWriter& json, std::string_view name,
                  const std::optional<std::string>& value) {
    json.key(name);
    value ? json.text(*value) : json.null();
}

void render_lan(JsonWriter& json, const std::optional<status_file::Lan>& lan) {
    json.key("lan");
    if (!lan) {
        json.null();
        return;
    }
    json.begin_object().text("url", lan->url).text("rathole", lan->rathole);
    json.boolean("enrolment_open", lan->enrolment_open).end_object();
}

void render_names(JsonWriter& json, const status_file::Status& status) {
    json.key("identity");
    if (const auto& identity = status.identity) {
        json.begin_object().text("name", identity->name).text("url", identity->url);
        json.whole("not_after", identity->not_after.count()).end_object();
    } else {
        json.null();
    }
    json.key("zone");
    status.zone ? json.text(status.zone->name.text()) : json.null();
}

void render_status(JsonWriter& json, const status_file::Status& status) {
    const auto& counts = status.counts;
    json.text("version", status.version);
    json.whole("started_at", status.started_at.count());
    json.text("tunnels", status.tunnels == status_file::Tunnels::rathole ? "rathole" : "none");
    json.key("counts").begin_object();
    json.whole("listed", counts.listed).whole("enrolled", counts.enrolled);
    json.whole("live_direct", counts.live_direct).whole("live_relayed", counts.live_relayed);
    json.whole("ports_free", counts.ports_free).whole("ports_resting", counts.ports_resting);
    json.whole("domains_live", counts.domains_live);
    json.whole("domains_waiting", counts.domains_waiting);
    json.whole("bindings", counts.bindings).whole("routes", counts.routes);
    json.end_object();
    render_lan(json, status.lan);
    render_names(json, status);
    json.key("faults").begin_array();
    for (const auto& fault : status.faults) {
        json.text(fault);
    }
    json.end_array();
}

void render_registrar(JsonWriter& json, const EdgeReport& report) {
    json.key("registrar").begin_object().text("state", state_of(report));
    text_or_null(json, "fault", report.status_fault);
    if (report.registrar_runs()) {
        json.whole("reconciled_age_ms", report.reconciled_age().count());
        render_status(json, *report.status);
    }
    json.end_object();
}

void render_boxes(JsonWriter& json, const UplinkStatus& pass) {
    json.key("accepted").begin_array();
    for (const auto& box : pass.accepted) {
        json.begin_object().text("id", box.id.text()).text("hostname", box.hostname.text());
        json.whole("rathole_port", box.rathole_port.number()).end_object();
    }
    json.end_array().key("refused").begin_array();
    for (const auto& box : pass.refused) {
        json.begin_object().text("id", box.id).text("reason", box.reason).end_object();
    }
    json.end_array().key("left_out").begin_array();
    for (const auto& id : pass.left_out) {
        json.text(id.text());
    }
    json.end_array();
}

void render_pass(JsonWriter& json, const UplinkStatus& pass) {
    json.key("last_pass").begin_object().whole("at", pass.at.count());
    json.key("answered_at");
    pass.answered_at ? json.whole(pass.answered_at->count()) : json.null();
    render_boxes(json, pass);
    text_or_null(json, "held_back", pass.held_back);
    text_or_null(json, "error", pass.error);
    json.end_object();
}

void render_uplink(JsonWriter& json, const EdgeReport& report) {
    json.key("uplink");
    if (report.uplink_fault) {
        json.begin_object().text("fault", *report.uplink_fault).end_object();
        return;
    }
    if (!report.uplink) {
        json.null();
        return;
    }
    json.begin_object().text("id", report.uplink->id.text());
    json.text("registrar_url", report.uplink->registrar_url.text());
    json.text("rathole_endpoint", report.uplink->rathole_endpoint.text());
    json.whole("relaying", static_cast<std::int64_t>(report.relaying()));
    text_or_null(json, "last_pass_fault", report.last_pass_fault);
    if (report.last_pass) {
        render_pass(json, *report.last_pass);
    } else {
        json.key("last_pass").null();
    }
    json.end_object();
}

} // namespace

std::string report_as_json(const EdgeReport& report) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    render_registrar(json, report);
    render_uplink(json, report);
    const auto facts = report.summary_facts();
    json.text("summary", summarize_edge(facts)).key("next").begin_array();
    for (const auto& step : next_steps(facts)) {
        json.text(step);
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

} // namespace losos
