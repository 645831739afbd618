#include "files/hub_routes_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <algorithm>
#include <utility>

namespace losos::hub_routes_file {
namespace {

constexpr mode_t k_mode = 0644;

Result<RelayRoute> parse_route(const Json& json) {
    TRY(json.check_entry_of("routes"));
    TRY_ASSIGN(const auto id, entry::parsed(json, "id", DnsLabel::parse));
    TRY_ASSIGN(const auto domain, entry::parsed(json, "domain", DnsName::parse));
    return RelayRoute{id.text(), domain.text()};
}

std::vector<RelayRoute> in_order(std::vector<RelayRoute> routes) {
    std::sort(routes.begin(), routes.end());
    routes.erase(std::unique(routes.begin(), routes.end()), routes.end());
    return routes;
}

} // namespace

Result<std::vector<RelayRoute>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(const auto* items, root.required_items("routes"));
    std::vector<RelayRoute> routes;
    routes.reserve(items->size());
    for (const Json& json : *items) {
        TRY_ASSIGN(auto route, parse_route(json));
        routes.push_back(std::move(route));
    }
    return in_order(std::move(routes));
}

std::string render(std::vector<RelayRoute> routes) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().key("routes").begin_array();
    for (const RelayRoute& route : in_order(std::move(routes))) {
        json.begin_object();
        json.text("id", route.id);
        json.text("domain", route.domain);
        json.end_object();
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<std::vector<RelayRoute>>> load(const std::string& path) {
    return document::load<std::vector<RelayRoute>>(path, k_limit, parse,
                                                   document::Remedy::next_write);
}

Result<Change> store(const std::string& path, std::vector<RelayRoute> routes) {
    return replace_file(path, render(std::move(routes)), k_mode, Durability::durable);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::durable);
}

} // namespace losos::hub_routes_file
