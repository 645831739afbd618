#include "files/uplink_status_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <limits>
#include <utility>

namespace losos::uplink_status_file {
namespace {

constexpr mode_t k_mode = 0644;
constexpr auto k_most = std::numeric_limits<std::int64_t>::max();

Result<std::optional<std::string>> sentence(const Json& root, std::string_view key) {
    TRY_ASSIGN(const auto text, root.optional_text(key));
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

Result<AcceptedBox> read_accepted(const Json& json) {
    TRY(json.check_entry_of("accepted"));
    TRY_ASSIGN(auto id, entry::parsed(json, "id", DnsLabel::parse));
    TRY_ASSIGN(auto hostname, entry::parsed(json, "hostname", DnsName::parse));
    TRY_ASSIGN(const Port port, entry::port(json, "port"));
    return AcceptedBox{std::move(id), std::move(hostname), port};
}

Result<RefusedBox> read_refused(const Json& json) {
    TRY(json.check_entry_of("refused"));
    TRY_ASSIGN(const auto id, json.required_text("id"));
    TRY_ASSIGN(const auto reason, json.required_text("reason"));
    return RefusedBox{std::string(id), std::string(reason)};
}

Result<DnsLabel> read_left_out(const Json& json) {
    return json.text_as("left_out", DnsLabel::parse);
}

template <class T>
Result<std::vector<T>> read_list(const Json& root, std::string_view key,
                                 Result<T> (*read)(const Json&)) {
    TRY_ASSIGN(const auto* items, root.required_items(key));
    std::vector<T> list;
    list.reserve(items->size());
    for (const Json& json : *items) {
        TRY_ASSIGN(auto item, read(json));
        list.push_back(std::move(item));
    }
    return list;
}

void render_sentence(JsonWriter& json, std::string_view key,
                     const std::optional<std::string>& text) {
    json.key(key);
    text ? json.text(*text) : json.null();
}

void render_verdicts(JsonWriter& json, const UplinkStatus& status) {
    json.key("accepted").begin_array();
    for (const AcceptedBox& box : status.accepted) {
        json.begin_object();
        json.text("id", box.id.text());
        json.text("hostname", box.hostname.text());
        json.whole("port", box.rathole_port.number());
        json.end_object();
    }
    json.end_array();
    json.key("refused").begin_array();
    for (const RefusedBox& box : status.refused) {
        json.begin_object();
        json.text("id", box.id);
        json.text("reason", box.reason);
        json.end_object();
    }
    json.end_array();
    json.key("left_out").begin_array();
    for (const DnsLabel& id : status.left_out) {
        json.text(id.text());
    }
    json.end_array();
}

} // namespace

Result<UplinkStatus> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    UplinkStatus status;
    TRY_ASSIGN(const auto at, root.required_whole("at", 0, k_most));
    status.at = UnixTime(at);
    if (root.find("answered_at") != nullptr) {
        TRY_ASSIGN(const auto answered_at, root.required_whole("answered_at", 0, k_most));
        status.answered_at = UnixTime(answered_at);
    }
    TRY_ASSIGN(status.hub, root.required_text("hub"));
    TRY_ASSIGN(status.id, root.required_text("id"));
    TRY_ASSIGN(status.accepted, read_list(root, "accepted", read_accepted));
    TRY_ASSIGN(status.refused, read_list(root, "refused", read_refused));
    TRY_ASSIGN(status.left_out, read_list(root, "left_out", read_left_out));
    TRY_ASSIGN(status.held_back, sentence(root, "held_back"));
    TRY_ASSIGN(status.error, sentence(root, "error"));
    return status;
}

std::string render(const UplinkStatus& status) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.whole("at", status.at.count());
    json.key("answered_at");
    status.answered_at ? json.whole(status.answered_at->count()) : json.null();
    json.text("hub", status.hub);
    json.text("id", status.id);
    render_verdicts(json, status);
    render_sentence(json, "held_back", status.held_back);
    render_sentence(json, "error", status.error);
    json.end_object();
    return std::move(json).finish();
}

Result<std::optional<UplinkStatus>> load(const std::string& path) {
    return document::load<UplinkStatus>(path, k_limit, parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const UplinkStatus& status) {
    return replace_file(path, render(status), k_mode, Durability::until_reboot);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::until_reboot);
}

} // namespace losos::uplink_status_file
