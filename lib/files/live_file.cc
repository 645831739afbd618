#include "files/live_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <utility>

namespace losos::live_file {
namespace {

constexpr mode_t k_mode = 0600;

std::optional<RelayPass> pass_of(const Json& json) {
    const Json* const value = json.find("pass");
    if (value == nullptr || value->kind() != Json::Kind::string) {
        return std::nullopt;
    }
    auto pass = RelayPass::parse(*value->text("pass"));
    return pass ? std::optional(*std::move(pass)) : std::nullopt;
}

Result<LiveBox> parse_box(const Json& json) {
    TRY(json.check_entry_of("boxes"));
    TRY_ASSIGN(auto id, entry::parsed(json, "id", DnsLabel::parse));
    TRY_ASSIGN(auto hostname, entry::parsed(json, "hostname", DnsName::parse));
    TRY_ASSIGN(const Port port, entry::port(json, "port"));
    return LiveBox{std::move(id), std::move(hostname), port, pass_of(json)};
}

} // namespace

Result<std::vector<LiveBox>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(const auto* items, root.required_items("boxes"));
    std::vector<LiveBox> boxes;
    boxes.reserve(items->size());
    for (const Json& json : *items) {
        TRY_ASSIGN(auto box, parse_box(json));
        boxes.push_back(std::move(box));
    }
    return boxes;
}

std::string render(const std::vector<LiveBox>& boxes) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().key("boxes").begin_array();
    for (const LiveBox& box : boxes) {
        json.begin_object();
        json.text("id", box.id.text());
        json.text("hostname", box.hostname.text());
        json.whole("port", box.port.number());
        if (box.pass) {
            json.text("pass", box.pass->text());
        }
        json.end_object();
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<std::vector<LiveBox>>> load(const std::string& path) {
    return document::load<std::vector<LiveBox>>(path, k_limit, parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const std::vector<LiveBox>& boxes) {
    return replace_file(path, render(boxes), k_mode, Durability::until_reboot);
}

} // namespace losos::live_file
