#include "boxes.h"

#include "box_list.h"

#include "base/file_facts.h"
#include "base/format.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "files/enrolled_dir.h"
#include "files/registry_file.h"

namespace losos {

namespace {

using Rows = BoxRows;

/// The range the registrar hands out is known to the registrar alone; any port is believed here.
Result<Rows> load_rows(const EdgeFiles& files) {
    TRY_ASSIGN(const auto any_port, PortRange::parse("1-65535"));
    TRY_ASSIGN(auto loaded, registry_file::load(files.registry(), any_port));
    if (!loaded) {
        return Rows();
    }
    for (const auto& sentence : loaded->dropped) {
        log(LogLevel::warning, "{}: {}", files.registry(), sentence);
    }
    return std::move(loaded->registry.rows);
}

std::string rows_as_text(const Rows& rows) {
    std::string text;
    for (const auto& [id, row] : rows) {
        text += format("{}\t{}\tport {}\n", id.text(), row.hostname.text(), row.port.number());
    }
    return text;
}

std::string rows_as_json(const Rows& rows) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().key("boxes").begin_array();
    for (const auto& [id, row] : rows) {
        json.begin_object().text("id", id.text()).text("hostname", row.hostname.text());
        json.whole("port", row.port.number());
        if (const auto spoke = id.spoke()) {
            json.text("via", spoke->text());
        }
        json.end_object();
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Error not_enrolled(const EdgeFiles& files, const RowId& id) {
    if (const auto spoke = id.spoke()) {
        return fail(Errc::failed,
                    "{} comes here by the gateway {}; forget it there, or take the gateway's relay "
                    "zone out of the tenants file",
                    id.text(), spoke->text());
    }
    const auto rows = load_rows(files);
    if (rows && rows->count(id) != 0) {
        return fail(
            Errc::failed,
            "{} is not among the enrolled: where the tenants file lists it, take it out there and "
            "the registrar drops it at once; one that was just forgotten goes with the registrar's "
            "next pass",
            id.text());
    }
    return fail(Errc::failed,
                "no box {} has enrolled here; \"losos-edge boxes\" shows who is registered",
                id.text());
}

} // namespace

Result<void> show_boxes(const EdgeFiles& files, BoxDetail detail) {
    TRY(check_directory(files.state_dir, "a registrar makes it when it starts, and --state-dir "
                                         "names another"));
    TRY_ASSIGN(const auto rows, load_rows(files));
    if (detail == BoxDetail::all) {
        TRY_ASSIGN(const auto list, files.style() == OutputStyle::json
                                        ? box_list_as_json(files, rows)
                                        : box_list_as_text(files, rows));
        print(list);
        return {};
    }
    print(files.style() == OutputStyle::json ? rows_as_json(rows) : rows_as_text(rows));
    return {};
}

Result<void> forget_box(const EdgeFiles& files, const RowId& id) {
    if (id.is_relayed()) {
        return not_enrolled(files, id);
    }
    TRY_ASSIGN(const auto outcome, enrolled_dir::forget(files.enrolled(), id.box()));
    if (outcome == enrolled_dir::Forgotten::unknown) {
        return not_enrolled(files, id);
    }
    if (files.style() == OutputStyle::json) {
        JsonWriter json(JsonWriter::Style::indented);
        json.begin_object().text("forgotten", id.text()).end_object();
        print(std::move(json).finish());
    } else {
        print(format("forgotten: {}\n", id.text()));
    }
    return {};
}

} // namespace losos
