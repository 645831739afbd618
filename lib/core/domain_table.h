// Every claim to a custom domain that an edge keeps: who may have how many, which are looked up
// when, and which are served. Pure: lookups are planned here and made elsewhere.
#pragma once

#include "core/domain_claim.h"
#include "core/edge_state.h"
#include "core/first_lives.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace losos {

inline constexpr std::size_t k_domains_per_box = 5;
inline constexpr std::size_t k_domains_per_edge = 2000;
/// How many claims are looked up at a time.
inline constexpr std::size_t k_checks_at_once = 16;
/// Of those, claims whose last lookup lacked an answer: a server that hangs makes nobody wait but
/// them.
inline constexpr std::size_t k_unanswered_at_once = 4;
/// How long a claim may wait, seven days.
inline constexpr Duration k_claim_waits = std::chrono::hours(7 * 24);

/// What the operator decided by flags.
struct DomainRules {
    Duration check_waiting{30'000};
    Duration check_live{3'600'000};
    OwnNames own;
};

/// Host names that tenants and relayed boxes have; views into what they were taken from.
using HostnameSet = std::unordered_set<std::string_view>;
HostnameSet hostnames_in(const EdgeState& state);

/// A claim with its times on the monotonic clock.
struct TrackedClaim {
    DomainClaim claim;
    /// When it is looked up next.
    MonotonicTime due;
    /// When it is dropped if it still waits.
    MonotonicTime dropped_at;
    /// Whether one of the questions of its last lookup got no answer.
    bool had_silence = false;
};

/// By domain, then by box: several boxes may wait for one domain, and one may have it.
using ClaimKey = std::pair<CustomDomain, DnsLabel>;
using DomainTable = std::map<ClaimKey, TrackedClaim>;

/// The table of stored claims. What remains until a lookup or the end of the wait is never more
/// than a whole term. Of two live claims to one domain the later one waits.
DomainTable restore_domains(std::vector<DomainClaim> stored, const DomainRules& rules, Instant now);

/// The claims as they are to be stored.
std::vector<DomainClaim> claims_of(const DomainTable& table);

/// Whether these claims say all that is worth storing: a claim that was looked up in vain once more
/// is no news.
bool are_stored_as(const DomainTable& table, const std::vector<DomainClaim>& stored);

struct ClaimCounts {
    std::size_t live = 0;
    std::size_t waiting = 0;
    friend bool operator==(const ClaimCounts&, const ClaimCounts&) = default;
};

ClaimCounts count_claims(const DomainTable& table);

enum class DomainAddition {
    added,
    already_own,
    not_vouched,
    not_a_domain,
    own_name,
    /// A tenant or a relayed box has that host name.
    hostname_held,
    /// Another box has it live.
    taken,
    box_full,
    edge_full,
};

/// What an addition came to; `fault` says what is wrong with a text that is not_a_domain.
struct AdditionOutcome {
    DomainAddition what;
    std::string fault;
};

/// A box asks for a domain. `voucher` is nullptr while nobody vouches for it.
AdditionOutcome add_domain(DomainTable& table, const DnsLabel& box, const std::string& text,
                           const Voucher* voucher, const HostnameSet& hostnames,
                           const DomainRules& rules, Instant now);

/// Takes a box's claim back; false when there is none.
bool remove_domain(DomainTable& table, const DnsLabel& box, const std::string& text);

/// Makes every claim fit the voucher of its box. Returns the domains that lapsed by it.
std::vector<CustomDomain> follow_vouchers(DomainTable& table, const Vouchers& vouchers,
                                          Instant now);

/// The vouchers of boxes with claims, for a start at which the vouch file cannot be used: it must
/// lapse nobody then, and nobody new is vouched for.
Vouchers vouchers_in(const DomainTable& table);

/// Those of the vouched-for that are in the roster.
Vouchers eligible_among(Vouchers vouchers, const Roster& roster);

/// Takes out what has waited too long, and returns it.
std::vector<DomainClaim> drop_overdue(DomainTable& table, MonotonicTime now);

/// A claim to be looked up, for the voucher it had then.
struct DomainCheck {
    DnsLabel box;
    CustomDomain domain;
    Voucher voucher;
    friend bool operator==(const DomainCheck&, const DomainCheck&) = default;
};

/// Claims that are being looked up.
using ClaimsInFlight = std::set<ClaimKey>;

/// The claims to look up now, beside those in flight; the longest overdue first. A box with
/// as many in flight as it may have domains waits, whatever it takes back and asks for anew.
std::vector<DomainCheck> plan_checks(const DomainTable& table, const ClaimsInFlight& in_flight,
                                     MonotonicTime now);

/// Takes in what came of a check. It counts only for a claim that is still there and still that
/// voucher's. A name that was never right goes live only where `first_lives` has room, and is noted
/// there; without one it always has. Returns the claim's new status where it changed.
std::optional<ClaimStatus> take_check(DomainTable& table, const DomainCheck& check,
                                      const DomainFinding& finding, const HostnameSet& hostnames,
                                      const DomainRules& rules, Instant now,
                                      FirstLives* first_lives = nullptr);

/// When there is something to look up for which there is a place beside what is in flight, or to
/// drop; nullopt for never.
std::optional<MonotonicTime> next_domain_due(const DomainTable& table,
                                             const ClaimsInFlight& in_flight);

/// The problem a claim has beside its own: its name belongs to a tenant, to the edge, or lives at
/// another box.
bool is_taken_elsewhere(const DomainTable& table, const DomainClaim& claim,
                        const HostnameSet& hostnames, const DomainRules& rules);

/// The domains each box is served under: live, and taken by nobody.
std::map<DnsLabel, std::vector<DnsName>>
served_domains(const DomainTable& table, const HostnameSet& hostnames, const DomainRules& rules);

} // namespace losos
