#include "core/domains_api.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "core/domain_proof.h"

#include <utility>

namespace losos {
namespace {

constexpr std::int64_t k_latest = 9'007'199'254'740'991;
constexpr std::int64_t k_count_max = 65535;

Error fault_of(std::string_view key, const Json& field, const Error& fault) {
    return fail(Errc::failed, "field \"{}\" (byte {}): {}", key, field.offset(), fault.what);
}

/// What `parse` makes of a required text.
template <class Parse>
auto read(const Json& json, std::string_view key, Parse parse)
    -> std::invoke_result_t<Parse, std::string_view> {
    TRY_ASSIGN(const std::string_view text, json.required_text(key));
    auto value = parse(text);
    if (!value) {
        return fault_of(key, *json.find(key), value.error());
    }
    return value;
}

/// The same of one that may be absent or null.
template <class T, class Parse>
Result<std::optional<T>> read_optional(const Json& json, std::string_view key, Parse parse) {
    if (json.find(key) == nullptr) {
        return std::optional<T>();
    }
    TRY_ASSIGN(auto value, read(json, key, parse));
    return std::optional<T>(std::move(value));
}

Result<std::optional<UnixTime>> read_moment(const Json& json, std::string_view key) {
    const auto* field = json.find(key);
    if (field == nullptr) {
        return std::optional<UnixTime>();
    }
    TRY_ASSIGN(const auto seconds, field->whole(key, 0, k_latest));
    return std::optional(UnixTime(seconds));
}

void write_optional(JsonWriter& json, std::string_view key,
                    const std::optional<std::string_view>& value) {
    json.key(key);
    value ? json.text(*value) : json.null();
}

void write_moment(JsonWriter& json, std::string_view key, const std::optional<UnixTime>& moment) {
    json.key(key);
    moment ? json.whole(moment->count()) : json.null();
}

Result<DomainEntry> read_entry(const Json& json) {
    TRY(json.members("domains"));
    TRY_ASSIGN(auto domain, read(json, "domain", CustomDomain::parse));
    DomainEntry entry{.domain = std::move(domain),
                      .txt_name = {},
                      .txt_value = {},
                      .problem = std::nullopt,
                      .checked_at = std::nullopt,
                      .verified_at = std::nullopt};
    TRY_ASSIGN(entry.status, read(json, "status", parse_claim_status));
    TRY_ASSIGN(entry.txt_name, json.required_text("txt_name"));
    TRY_ASSIGN(entry.txt_value, json.required_text("txt_value"));
    TRY_ASSIGN(entry.txt_found, json.boolean_or("txt_found", false));
    TRY_ASSIGN(entry.points_here, json.boolean_or("points_here", false));
    TRY_ASSIGN(entry.problem, read_optional<DomainProblem>(json, "problem", parse_domain_problem));
    TRY_ASSIGN(entry.checked_at, read_moment(json, "checked_at"));
    TRY_ASSIGN(entry.verified_at, read_moment(json, "verified_at"));
    return entry;
}

void write_entry(JsonWriter& json, const DomainEntry& entry) {
    json.begin_object();
    json.text("domain", entry.domain.text());
    json.text("status", text_of(entry.status));
    json.text("txt_name", entry.txt_name);
    json.text("txt_value", entry.txt_value);
    json.boolean("txt_found", entry.txt_found);
    json.boolean("points_here", entry.points_here);
    write_optional(json, "problem",
                   entry.problem ? std::optional(text_of(*entry.problem)) : std::nullopt);
    write_moment(json, "checked_at", entry.checked_at);
    write_moment(json, "verified_at", entry.verified_at);
    json.end_object();
}

Result<std::vector<IpAddress>> read_addresses(const Json& json) {
    TRY_ASSIGN(const auto* items, json.required_items("addresses"));
    std::vector<IpAddress> addresses;
    for (const Json& item : *items) {
        TRY_ASSIGN(const auto text, item.text("addresses"));
        auto address = IpAddress::parse(text);
        if (!address) {
            return fault_of("addresses", item, address.error());
        }
        addresses.push_back(*std::move(address));
    }
    return addresses;
}

} // namespace

std::string_view path_of(DomainsAction action) {
    switch (action) {
    case DomainsAction::list:
        return "/domains/list";
    case DomainsAction::add:
        return "/domains/add";
    case DomainsAction::remove:
        return "/domains/remove";
    }
    return {};
}

Result<DomainsCall> parse_domains_call(DomainsAction action, std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    DomainsCall call{.action = action, .appliance_id = {}, .token = {}, .domain = {}};
    TRY_ASSIGN(call.appliance_id, json.required_text("appliance_id"));
    TRY_ASSIGN(call.token, json.required_text("token"));
    if (action != DomainsAction::list) {
        TRY_ASSIGN(call.domain, json.required_text("domain"));
    }
    return call;
}

std::string render_domains_call(const DomainsCall& call) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("appliance_id", call.appliance_id);
    json.text("token", call.token);
    if (call.action != DomainsAction::list) {
        json.text("domain", call.domain);
    }
    json.end_object();
    return std::move(json).finish();
}

Result<DomainsView> parse_domains_view(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    DomainsView view;
    TRY_ASSIGN(const auto eligible, json.optional_boolean("eligible"));
    if (!eligible) {
        return Error{Errc::failed, "field \"eligible\" is missing"};
    }
    view.eligible = *eligible;
    TRY_ASSIGN(const auto reason, json.optional_text("reason"));
    if (reason) {
        view.reason = std::string(*reason);
    }
    TRY_ASSIGN(view.target, read_optional<DnsName>(json, "target", DnsName::parse));
    TRY_ASSIGN(view.addresses, read_addresses(json));
    TRY_ASSIGN(const auto most, json.required_whole("max_domains", 0, k_count_max));
    view.max_domains = static_cast<std::size_t>(most);
    TRY_ASSIGN(const auto* entries, json.required_items("domains"));
    for (const Json& item : *entries) {
        TRY_ASSIGN(auto entry, read_entry(item));
        view.domains.push_back(std::move(entry));
    }
    TRY_ASSIGN(view.relay_pass, read_optional<RelayPass>(json, "relay_pass", RelayPass::parse));
    return view;
}

std::string render_domains_view(const DomainsView& view) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.boolean("eligible", view.eligible);
    write_optional(json, "reason", view.reason);
    write_optional(json, "target",
                   view.target ? std::optional<std::string_view>(view.target->text())
                               : std::nullopt);
    json.key("addresses").begin_array();
    for (const IpAddress& address : view.addresses) {
        json.text(address.text());
    }
    json.end_array();
    json.whole("max_domains", static_cast<std::int64_t>(view.max_domains));
    json.key("domains").begin_array();
    for (const DomainEntry& entry : view.domains) {
        write_entry(json, entry);
    }
    json.end_array();
    if (view.relay_pass) {
        json.text("relay_pass", view.relay_pass->text());
    }
    json.end_object();
    return std::move(json).finish();
}

DomainsView view_domains(const DomainTable& table, const DnsLabel& box, const Voucher* voucher,
                         const ZonePlace& place, const HostnameSet& hostnames,
                         const DomainRules& rules) {
    DomainsView view;
    view.eligible = voucher != nullptr;
    view.addresses = place.addresses;
    if (voucher == nullptr) {
        view.reason = "nobody vouches for this box";
    } else if (auto target = zone_name_of(voucher->box_uuid, place.zone)) {
        view.target = *std::move(target);
    }
    for (const auto& [_, tracked] : table) {
        const DomainClaim& claim = tracked.claim;
        if (claim.box != box) {
            continue;
        }
        const bool taken = claim.problem != DomainProblem::stripe_account &&
                           is_taken_elsewhere(table, claim, hostnames, rules);
        view.domains.push_back({.domain = claim.domain,
                                .status = claim.status,
                                .txt_name = proof_name_of(claim.domain),
                                .txt_value = proof_text_of(claim.domain, claim.voucher),
                                .txt_found = claim.txt_found,
                                .points_here = claim.points_here,
                                .problem = taken ? DomainProblem::taken_elsewhere : claim.problem,
                                .checked_at = claim.checked_at,
                                .verified_at = claim.verified_at});
    }
    return view;
}

} // namespace losos
