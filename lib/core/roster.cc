#include "core/roster.h"

#include "base/append.h"
#include "base/format.h"

#include <algorithm>

namespace losos {
namespace {

/// What a caller is compared with who is nobody, so that being nobody costs the same.
const Token& nobodys_token() {
    static const Token k_token =
        Token::parse("the token that nobody holds and that opens nothing at all").value();
    return k_token;
}

/// At most two of them by name.
std::string name_some(const std::vector<DnsLabel>& ids) {
    constexpr std::size_t k_named = 2;
    std::string text;
    for (std::size_t i = 0; i < std::min(ids.size(), k_named); ++i) {
        const bool is_last = i + 1 == ids.size();
        append(text, i == 0 ? "" : (is_last ? " and " : ", "), "\"", ids[i].text(), "\"");
    }
    return ids.size() <= k_named ? text : format("{} and {} more", text, ids.size() - k_named);
}

} // namespace

Roster merge_roster(const std::vector<ListedWithToken>& listed,
                    const std::vector<EnrolledWithToken>& enrolled) {
    Roster roster;
    for (const auto& [tenant, token] : listed) {
        roster.emplace(tenant.id, RosterEntry{.kind = TenantKind::listed,
                                              .hostname = tenant.hostname,
                                              .token = token,
                                              .relay_zone = tenant.relay_zone,
                                              .cluster = tenant.cluster,
                                              .market = tenant.market});
    }
    std::size_t rank = 0;
    for (const auto& [tenant, token] : enrolled) {
        roster.emplace(tenant.id, RosterEntry{.kind = TenantKind::enrolled,
                                              .hostname = tenant.hostname,
                                              .token = token,
                                              .relay_zone = std::nullopt,
                                              .enrolment_rank = ++rank});
    }
    return roster;
}

std::vector<std::string> hostname_faults(const std::vector<ListedTenant>& listed,
                                         const std::optional<DnsName>& own_host,
                                         std::string_view file) {
    std::map<DnsName, std::vector<DnsLabel>> ids_of;
    for (const ListedTenant& tenant : listed) {
        ids_of[tenant.hostname].push_back(tenant.id);
    }
    std::vector<std::string> faults;
    for (const auto& [hostname, ids] : ids_of) {
        if (hostname == own_host) {
            faults.push_back(format("{} in {} may not have {}, the --public-host of this edge; "
                                    "give another hostname",
                                    name_some(ids), file, hostname.text()));
        } else if (ids.size() > 1) {
            faults.push_back(format("{} in {} have one hostname, {}, by which only one of them is "
                                    "reached; give each its own",
                                    name_some(ids), file, hostname.text()));
        }
    }
    return faults;
}

const RosterEntry* VoucherWalk::voucher_of(const RowId& id) {
    if (!id.is_relayed()) {
        while (m_direct != m_roster.end() && m_direct->first.text() < id.text()) {
            ++m_direct;
        }
        const bool known = m_direct != m_roster.end() && m_direct->first.text() == id.text();
        return known ? &m_direct->second : nullptr;
    }
    if (auto spoke = id.spoke(); spoke != m_spoke) {
        const auto entry = m_roster.find(*spoke);
        m_spokes_entry = entry == m_roster.end() ? nullptr : &entry->second;
        m_spoke = std::move(spoke);
    }
    return m_spokes_entry;
}

CallerVerdict check_caller(const Roster& roster, const std::string& id, const std::string& token) {
    const auto parsed_id = DnsLabel::parse(id);
    const auto found = parsed_id ? roster.find(*parsed_id) : roster.end();
    const bool known = found != roster.end();
    const auto presented = Token::parse(token);
    const auto* expected = known && found->second.token ? &*found->second.token : nullptr;

    const auto& compared = expected != nullptr ? *expected : nobodys_token();
    const bool same = (presented ? *presented : nobodys_token()).same_as(compared);
    if (!known) {
        return CallerVerdict::unknown;
    }
    return same && presented && expected != nullptr ? CallerVerdict::accepted
                                                    : CallerVerdict::rejected;
}

} // namespace losos
