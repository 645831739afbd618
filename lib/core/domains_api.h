// POST /domains/list, /domains/add and /domains/remove: both sides of their wire formats.
#pragma once

#include "core/domain_table.h"
#include "core/network.h"
#include "core/relay_pass.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

enum class DomainsAction { list, add, remove };

/// The path of the route.
std::string_view path_of(DomainsAction action);

/// What the caller claims; nothing in it is believed yet.
struct DomainsCall {
    DomainsAction action = DomainsAction::list;
    std::string appliance_id;
    std::string token;
    /// Empty for a list.
    std::string domain;
};

/// Fails with a sentence that names the field, never its content.
Result<DomainsCall> parse_domains_call(DomainsAction action, std::string_view body);
std::string render_domains_call(const DomainsCall& call);

/// One claim as its box sees it.
struct DomainEntry {
    CustomDomain domain;
    ClaimStatus status = ClaimStatus::waiting;
    std::string txt_name;
    std::string txt_value;
    bool txt_found = false;
    bool points_here = false;
    std::optional<DomainProblem> problem;
    std::optional<UnixTime> checked_at;
    std::optional<UnixTime> verified_at;
    friend bool operator==(const DomainEntry&, const DomainEntry&) = default;
};

/// What a box sees of its domains.
struct DomainsView {
    bool eligible = false;
    /// Why it is not eligible.
    std::optional<std::string> reason;
    /// The box's name in the zone, to which its domains point; nullopt for one without.
    std::optional<DnsName> target;
    std::vector<IpAddress> addresses;
    std::size_t max_domains = k_domains_per_box;
    std::vector<DomainEntry> domains;
    std::optional<RelayPass> relay_pass;
    friend bool operator==(const DomainsView&, const DomainsView&) = default;
};

std::string render_domains_view(const DomainsView& view);

/// The zone and the addresses a view shows.
struct ZonePlace {
    DnsName zone;
    std::vector<IpAddress> addresses;
};

/// The view of one box, its domains in the order of their names. `voucher` is nullptr while nobody
/// vouches for it.
DomainsView view_domains(const DomainTable& table, const DnsLabel& box, const Voucher* voucher,
                         const ZonePlace& place, const HostnameSet& hostnames,
                         const DomainRules& rules);

} // namespace losos
