#include "files/public_names_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"

#include <set>
#include <utility>

namespace losos::public_names_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<std::vector<CustomDomain>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    TRY_ASSIGN(const auto* items, root.required_items("domains"));
    std::vector<CustomDomain> domains;
    for (const Json& item : *items) {
        TRY_ASSIGN(auto domain, item.text_as("domains", CustomDomain::parse));
        domains.push_back(std::move(domain));
    }
    return domains;
}

std::string render(const std::vector<CustomDomain>& domains) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.key("domains").begin_array();
    for (const auto& domain : std::set<CustomDomain>(domains.begin(), domains.end())) {
        json.text(domain.text());
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<std::vector<CustomDomain>>> load(const std::string& path) {
    return document::load<std::vector<CustomDomain>>(path, k_limit, parse,
                                                     document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const std::vector<CustomDomain>& domains) {
    return replace_file(path, render(domains), k_mode, Durability::durable);
}

} // namespace losos::public_names_file
