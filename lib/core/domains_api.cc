#include "core/domains_api.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "core/domain_proof.h"

#include <utility>

namespace losos {
namespace {

void write_optional(JsonWriter& json, std::string_view key,
                    const std::optional<std::string_view>& value) {
    json.key(key);
    value ? json.text(*value) : json.null();
}

void write_moment(JsonWriter& json, std::string_view key, const std::optional<UnixTime>& moment) {
    json.key(key);
    moment ? json.whole(moment->count()) : json.null();
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
