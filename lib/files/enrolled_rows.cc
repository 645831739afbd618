#include "files/enrolled_rows.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <utility>

namespace losos::enrolled_rows {
namespace {

Result<Row> parse_row(const std::string& id, const Json& json) {
    TRY(json.members(id));
    TRY_ASSIGN(const auto hostname, json.required_text("hostname"));
    return Row{id, std::string(hostname)};
}

} // namespace

Result<std::vector<Row>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(const auto* members, document::members_of(root));
    std::vector<Row> rows;
    rows.reserve(members->size());
    for (const auto& [id, json] : *members) {
        auto row = parse_row(id, json);
        if (!row) {
            return entry::fault_in(id, json, row.error());
        }
        rows.push_back(*std::move(row));
    }
    return rows;
}

std::string render(const std::vector<Row>& rows, std::string_view directory) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    for (const Row& row : rows) {
        json.key(row.id).begin_object();
        json.text("hostname", row.hostname);
        json.text("token_file", format("{}/{}.token", directory, row.id));
        json.end_object();
    }
    json.end_object();
    return std::move(json).finish();
}

} // namespace losos::enrolled_rows
