#include "files/tenants_file.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "files/document.h"
#include "files/entry.h"

#include <algorithm>
#include <utility>

namespace losos::tenants_file {
namespace {

Result<ListedTenant> parse_row(const std::string& id_text, const Json& json) {
    TRY_ASSIGN(auto id, DnsLabel::parse(id_text));
    TRY(json.members(id_text));
    TRY_ASSIGN(auto hostname, entry::parsed(json, "hostname", DnsName::parse));
    TRY_ASSIGN(auto token_file, entry::path(json, "token_file"));
    TRY_ASSIGN(const bool cluster, json.boolean_or("cluster", false));
    TRY_ASSIGN(const bool market, json.boolean_or("market", false));
    TRY_ASSIGN(const auto zone_text, json.optional_text("relay_zone"));
    std::optional<DnsName> zone;
    // An empty zone is how some operators write that there is none.
    if (zone_text && !zone_text->empty()) {
        TRY_ASSIGN(zone, entry::parsed(json, "relay_zone", DnsName::parse));
    }
    return ListedTenant{std::move(id), std::move(hostname), std::move(token_file), cluster,
                        market,        std::move(zone)};
}

/// A key that is no id is shown only while it is too short for a token.
std::string name_of(const std::string& id, const Json& json) {
    constexpr std::size_t k_most = 31;
    return id.size() <= k_most || DnsLabel::parse(id)
               ? format("tenant \"{}\"", id)
               : format("the tenant at byte {}", json.offset());
}

} // namespace

Result<TenantList> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(const auto* members, document::members_of(root));
    TenantList list;
    list.tenants.reserve(members->size());
    for (const auto& [id, json] : *members) {
        auto row = parse_row(id, json);
        if (row) {
            list.tenants.push_back(*std::move(row));
        } else {
            list.faulty.push_back({name_of(id, json), std::move(row).error().what});
        }
    }
    std::sort(list.tenants.begin(), list.tenants.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    return list;
}

Result<std::optional<TenantList>> load(const std::string& path) {
    return document::load<TenantList>(path, k_limit, parse);
}

} // namespace losos::tenants_file
