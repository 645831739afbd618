// The roster: everybody this edge knows, listed and enrolled, with the token that proves them.
// It is the authority for hostnames; the registry only says who is registered.
#pragma once

#include "core/relay_pass.h"
#include "core/tenant.h"
#include "core/token.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// Who vouches for a tenant: the operator's list, or its own first contact.
enum class TenantKind { listed, enrolled };

/// One known tenant.
struct RosterEntry {
    TenantKind kind;
    DnsName hostname;
    /// nullopt while the token file is faulty: the tenant is refused.
    std::optional<Token> token;
    std::optional<DnsName> relay_zone;
    bool cluster = false;
    bool market = false;
    /// Place among the enrolled, by time of enrolment, from 1; 0 for listed tenants.
    std::size_t enrolment_rank = 0;
};

/// Everybody, by id.
using Roster = std::map<DnsLabel, RosterEntry>;

/// A listed tenant with what its token file gave.
struct ListedWithToken {
    ListedTenant tenant;
    std::optional<Token> token;
};

/// An enrolled tenant with what its token file gave.
struct EnrolledWithToken {
    EnrolledTenant tenant;
    std::optional<Token> token;
};

/// Merges both lists; the operator's row wins over an enrolled one of the same id.
Roster merge_roster(const std::vector<ListedWithToken>& listed,
                    const std::vector<EnrolledWithToken>& enrolled);

/// One sentence for each hostname of `file` that several of these share, or that is the edge's own.
/// Such tenants register, and not all of them are reached.
std::vector<std::string> hostname_faults(const std::vector<ListedTenant>& listed,
                                         const std::optional<DnsName>& own_host,
                                         std::string_view file);

/// Finds who vouches for each row of an edge: the tenant itself, or the spoke of a relayed box.
/// Rows come in ascending order, as they are kept, so that ten thousand of them need no search
/// each.
class VoucherWalk {
public:
    /// `roster` must outlive it.
    explicit VoucherWalk(const Roster& roster) : m_roster(roster), m_direct(roster.begin()) {}

    /// nullptr when nobody does. No id may be lower than the one before.
    const RosterEntry* voucher_of(const RowId& id);

private:
    const Roster& m_roster;
    Roster::const_iterator m_direct;
    std::optional<DnsLabel> m_spoke;
    const RosterEntry* m_spokes_entry = nullptr;
};

/// The verdict on somebody who says they are a tenant.
enum class CallerVerdict { accepted, rejected, unknown };

/// Compares in constant time; an unknown id costs the same comparison as a known one.
CallerVerdict check_caller(const Roster& roster, const std::string& id, const std::string& token);

} // namespace losos
