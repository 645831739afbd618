#include "files/domains_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <set>
#include <utility>

namespace losos::domains_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr std::int64_t k_latest = 9'007'199'254'740'991;

Result<std::optional<UnixTime>> read_moment(const Json& json, std::string_view key) {
    const auto* field = json.find(key);
    if (field == nullptr) {
        return std::optional<UnixTime>();
    }
    TRY_ASSIGN(const auto seconds, field->whole(key, 0, k_latest));
    return std::optional(UnixTime(seconds));
}

Result<DomainClaim> read_claim(const Json& json) {
    TRY(json.check_entry_of("claims"));
    TRY_ASSIGN(auto box, entry::parsed(json, "box", DnsLabel::parse));
    TRY_ASSIGN(auto domain, entry::parsed(json, "domain", CustomDomain::parse));
    TRY_ASSIGN(auto account, entry::parsed(json, "account_id", AccountId::parse));
    TRY_ASSIGN(auto uuid, entry::parsed(json, "box_uuid", BoxUuid::parse));
    TRY_ASSIGN(const auto waiting_since, json.required_whole("waiting_since", 0, k_latest));
    auto claim = new_claim(std::move(box), std::move(domain),
                           Voucher{std::move(account), std::move(uuid)}, UnixTime(waiting_since));
    TRY_ASSIGN(claim.status, entry::parsed(json, "status", parse_claim_status));
    TRY_ASSIGN(const auto failed, json.required_whole("failed_checks", 0, k_failed_checks_max - 1));
    claim.failed_checks = static_cast<int>(failed);
    TRY_ASSIGN(claim.txt_found, json.boolean_or("txt_found", false));
    TRY_ASSIGN(claim.points_here, json.boolean_or("points_here", false));
    if (json.find("problem") != nullptr) {
        TRY_ASSIGN(claim.problem, entry::parsed(json, "problem", parse_domain_problem));
    }
    TRY_ASSIGN(claim.checked_at, read_moment(json, "checked_at"));
    TRY_ASSIGN(claim.verified_at, read_moment(json, "verified_at"));
    return claim;
}

void write_moment(JsonWriter& json, std::string_view key, const std::optional<UnixTime>& moment) {
    json.key(key);
    moment ? json.whole(moment->count()) : json.null();
}

void write_claim(JsonWriter& json, const DomainClaim& claim) {
    json.begin_object();
    json.text("box", claim.box.text());
    json.text("domain", claim.domain.text());
    json.text("status", text_of(claim.status));
    json.text("account_id", claim.voucher.account_id.text());
    json.text("box_uuid", claim.voucher.box_uuid.text());
    json.whole("failed_checks", claim.failed_checks);
    json.boolean("txt_found", claim.txt_found);
    json.boolean("points_here", claim.points_here);
    json.key("problem");
    claim.problem ? json.text(text_of(*claim.problem)) : json.null();
    json.whole("waiting_since", claim.waiting_since.count());
    write_moment(json, "checked_at", claim.checked_at);
    write_moment(json, "verified_at", claim.verified_at);
    json.end_object();
}

} // namespace

Result<std::vector<DomainClaim>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    TRY_ASSIGN(const auto* items, root.required_items("claims"));
    std::vector<DomainClaim> claims;
    claims.reserve(items->size());
    std::set<std::pair<CustomDomain, DnsLabel>> seen;
    for (const Json& item : *items) {
        auto claim = read_claim(item);
        if (!claim) {
            return fail(Errc::failed, "the claim at byte {}: {}", item.offset(),
                        claim.error().what);
        }
        if (!seen.emplace(claim->domain, claim->box).second) {
            return fail(Errc::failed, "the claim at byte {}: {} claims {} twice", item.offset(),
                        claim->box.text(), claim->domain.text());
        }
        claims.push_back(*std::move(claim));
    }
    return claims;
}

std::string render(const std::vector<DomainClaim>& claims) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.key("claims").begin_array();
    for (const DomainClaim& claim : claims) {
        write_claim(json, claim);
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<std::vector<DomainClaim>>> load(const std::string& path) {
    return document::load<std::vector<DomainClaim>>(path, k_limit, parse);
}

Result<Change> store(const std::string& path, const std::vector<DomainClaim>& claims) {
    return replace_file(path, render(claims), k_mode, Durability::durable);
}

} // namespace losos::domains_file
