#include "files/hub_routes_file.h"

#include "base/json_writer.h"

#include <algorithm>
#include <utility>

namespace losos::hub_routes_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

std::string render(std::vector<RelayRoute> routes) {
    std::sort(routes.begin(), routes.end());
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().key("routes").begin_array();
    for (const RelayRoute& route : routes) {
        json.begin_object();
        json.text("id", route.id);
        json.text("domain", route.domain);
        json.end_object();
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<Change> store(const std::string& path, std::vector<RelayRoute> routes) {
    return replace_file(path, render(std::move(routes)), k_mode, Durability::durable);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::durable);
}

} // namespace losos::hub_routes_file
