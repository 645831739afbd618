#include "files/compute_windows_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <algorithm>
#include <utility>

namespace losos::compute_windows_file {
namespace {

constexpr mode_t k_mode = 0600;

Result<ComputeNode> read_node(const Json& json) {
    TRY(json.check_entry_of("nodes"));
    TRY_ASSIGN(auto name, entry::parsed(json, "node_name", DnsLabel::parse));
    ComputeNode node{std::move(name), {}, false};
    TRY_ASSIGN(node.window.share_compute, json.boolean_or("share_compute", false));
    TRY_ASSIGN(node.window.window_start, json.required_text("window_start"));
    TRY_ASSIGN(node.window.window_end, json.required_text("window_end"));
    TRY_ASSIGN(node.window.tz, json.required_text("tz"));
    TRY_ASSIGN(node.idle, json.boolean_or("idle", false));
    return node;
}

} // namespace

Result<std::vector<ComputeNode>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    TRY_ASSIGN(const auto* items, root.required_items("nodes"));
    std::vector<ComputeNode> nodes;
    for (const Json& item : *items) {
        TRY_ASSIGN(auto node, read_node(item));
        nodes.push_back(std::move(node));
    }
    return nodes;
}

std::string render(std::vector<ComputeNode> nodes) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const ComputeNode& a, const ComputeNode& b) { return a.name < b.name; });
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.key("nodes").begin_array();
    for (const ComputeNode& node : nodes) {
        json.begin_object();
        json.text("node_name", node.name.text());
        json.boolean("share_compute", node.window.share_compute);
        json.text("window_start", node.window.window_start);
        json.text("window_end", node.window.window_end);
        json.text("tz", node.window.tz);
        json.boolean("idle", node.idle);
        json.end_object();
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<std::vector<ComputeNode>>> load(const std::string& path) {
    return document::load<std::vector<ComputeNode>>(path, k_limit, parse,
                                                    document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const std::vector<ComputeNode>& nodes) {
    return replace_file(path, render(nodes), k_mode, Durability::durable);
}

} // namespace losos::compute_windows_file
