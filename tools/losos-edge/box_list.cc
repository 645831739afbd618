#include "box_list.h"

#include "edge_report.h"

#include "base/format.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "core/check_uplink.h"
#include "core/plain_age.h"
#include "files/enrolled_dir.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace losos {

namespace {

using status_file::Kind;

/// One row, with what registrar and uplink say of it.
struct ListedBox {
    RowId id;
    RegistryRow row;
    std::optional<Kind> kind;
    std::optional<Duration> last_contact;
    HubOpinion hub;
};

std::string_view word_of(Kind kind) {
    switch (kind) {
    case Kind::listed:
        return "listed";
    case Kind::enrolled:
        return "enrolled";
    case Kind::relayed:
        break;
    }
    return "relayed";
}

/// Without a registrar that says it: who enrolled is in the directory, if this user may look.
std::optional<Kind> kind_on_disk(const RowId& id, const Result<enrolled_dir::Loaded>& enrolled) {
    if (id.is_relayed()) {
        return Kind::relayed;
    }
    if (!enrolled) {
        return std::nullopt;
    }
    const auto& tenants = enrolled->tenants;
    const bool is_enrolled = std::any_of(tenants.begin(), tenants.end(), [&](const auto& one) {
        return one.tenant.id.text() == id.text();
    });
    return is_enrolled ? Kind::enrolled : Kind::listed;
}

HubOpinion opinion_of(const EdgeReport& report, const RowId& id) {
    if (!report.uplink || id.is_relayed()) {
        return {HubVerdict::no_hub, {}};
    }
    if (!report.last_pass) {
        return {HubVerdict::unknown, {}};
    }
    const auto& pass = *report.last_pass;
    return opinion_on(id.text(), pass.accepted, pass.refused, pass.left_out);
}

Result<std::vector<ListedBox>> list_boxes(const EdgeFiles& files, const BoxRows& rows) {
    TRY_ASSIGN(const auto report, make_report(files));
    const auto enrolled = enrolled_dir::load(files.enrolled());
    std::vector<ListedBox> boxes;
    for (const auto& [id, row] : rows) {
        ListedBox box{id, row, std::nullopt, std::nullopt, opinion_of(report, id)};
        if (report.registrar_runs()) {
            const auto& told = report.status->rows;
            const auto found = std::find_if(told.begin(), told.end(),
                                            [&id = id](const auto& one) { return one.id == id; });
            if (found != told.end()) {
                box.kind = found->kind;
                box.last_contact = found->last_contact_age + report.reconciled_age();
            }
        }
        if (!box.kind) {
            box.kind = kind_on_disk(id, enrolled);
        }
        boxes.push_back(std::move(box));
    }
    return boxes;
}

std::string contact_text(const std::optional<Duration>& last_contact) {
    if (!last_contact) {
        return "last contact unknown";
    }
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*last_contact);
    return format("last contact {} ago", plain_age(seconds.count()));
}

std::string hub_text(const HubOpinion& opinion) {
    switch (opinion.verdict) {
    case HubVerdict::no_hub:
        return "no hub";
    case HubVerdict::accepted:
        return "hub: accepted";
    case HubVerdict::refused:
        return format("hub: refused: {}", printable(opinion.reason));
    case HubVerdict::left_out:
        return format("hub: not asked: it takes {} boxes from one gateway", k_relay_max);
    case HubVerdict::unknown:
        break;
    }
    return "hub: has not said";
}

void render_box(JsonWriter& json, const ListedBox& box) {
    json.begin_object().text("id", box.id.text()).text("hostname", box.row.hostname.text());
    json.whole("port", box.row.port.number());
    if (const auto spoke = box.id.spoke()) {
        json.text("via", spoke->text());
    }
    json.key("kind");
    box.kind ? json.text(word_of(*box.kind)) : json.null();
    json.key("last_contact_age_ms");
    box.last_contact ? json.whole(box.last_contact->count()) : json.null();
    json.key("hub").begin_object().text("verdict", name_of(box.hub.verdict)).key("reason");
    box.hub.reason.empty() ? json.null() : json.text(box.hub.reason);
    json.end_object().end_object();
}

} // namespace

Result<std::string> box_list_as_text(const EdgeFiles& files, const BoxRows& rows) {
    TRY_ASSIGN(const auto boxes, list_boxes(files, rows));
    std::string text;
    for (const auto& box : boxes) {
        text += format("{}\t{}\tport {}\t{}\t{}\t{}\n", box.id.text(), box.row.hostname.text(),
                       box.row.port.number(), contact_text(box.last_contact),
                       box.kind ? word_of(*box.kind) : "listed or enrolled", hub_text(box.hub));
    }
    return text;
}

Result<std::string> box_list_as_json(const EdgeFiles& files, const BoxRows& rows) {
    TRY_ASSIGN(const auto boxes, list_boxes(files, rows));
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().key("boxes").begin_array();
    for (const auto& box : boxes) {
        render_box(json, box);
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

} // namespace losos
