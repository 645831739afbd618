#include "files/relay_routes_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "files/document.h"
#include "files/entry.h"

#include <algorithm>
#include <utility>

namespace losos::relay_routes_file {
namespace {

constexpr mode_t k_mode = 0644;
/// As many digits as an hour of a pass can have.
constexpr std::int64_t k_last_hour = 999'999'999;

Result<Binding> parse_binding(const std::string& box, const Json& json) {
    TRY(json.members(box));
    TRY_ASSIGN(auto spoke, entry::parsed(json, "spoke", DnsLabel::parse));
    TRY_ASSIGN(const auto epoch, json.required_whole("epoch", 0, k_last_hour));
    return Binding{std::move(spoke), PassHour(epoch)};
}

void render_route(JsonWriter& json, const DomainRoute& route) {
    json.begin_object();
    json.text("domain", route.domain.text());
    json.text("tenant", route.tenant.text());
    json.text("spoke", route.spoke.text());
    json.text("service", route.service().text());
    json.end_object();
}

} // namespace

Result<Loaded> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(const auto* members, root.required_members("bindings"));
    Loaded loaded;
    for (const auto& [name, json] : *members) {
        auto box = DnsLabel::parse(name);
        auto binding = box ? parse_binding(name, json) : box.error();
        if (!binding) {
            loaded.dropped.push_back(entry::fault_in(name, json, binding.error()).what +
                                     "; it is dropped");
            continue;
        }
        loaded.bindings.emplace(*std::move(box), *std::move(binding));
    }
    return loaded;
}

std::string render(const Bindings& bindings, const std::vector<DomainRoute>& routes) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.key("bindings").begin_object();
    for (const auto& [box, binding] : bindings) {
        json.key(box.text()).begin_object();
        json.text("spoke", binding.spoke.text());
        json.whole("epoch", binding.epoch.count());
        json.end_object();
    }
    json.end_object();
    auto ordered = routes;
    std::sort(ordered.begin(), ordered.end());
    json.key("routes").begin_array();
    for (const DomainRoute& route : ordered) {
        render_route(json, route);
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<Loaded>> load(const std::string& path) {
    return document::load<Loaded>(path, k_limit, parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const Bindings& bindings,
                     const std::vector<DomainRoute>& routes) {
    return replace_file(path, render(bindings, routes), k_mode, Durability::durable);
}

} // namespace losos::relay_routes_file
