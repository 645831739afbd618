// One box's claim to one custom domain (domains.json(5)): what is known of it, and how a lookup or
// the loss of its voucher changes it.
#pragma once

#include "base/duration.h"
#include "core/domain_lookup.h"
#include "core/domain_name.h"
#include "core/vouching.h"

#include <optional>
#include <string_view>

namespace losos {

/// Whether the domain is served.
enum class ClaimStatus { waiting, live };

/// What stands between a claim and a served domain.
enum class DomainProblem {
    /// Nobody vouches for the box.
    stripe_account,
    txt_missing,
    txt_wrong,
    not_pointing,
    /// The name belongs to somebody else here.
    taken_elsewhere,
    lookup_failed,
};

/// As the view and domains.json spell them.
std::string_view text_of(ClaimStatus status);
std::string_view text_of(DomainProblem problem);
Result<ClaimStatus> parse_claim_status(std::string_view text);
Result<DomainProblem> parse_domain_problem(std::string_view text);

/// How many checks in a row have to fail before a live domain lapses.
inline constexpr int k_failed_checks_max = 3;

struct DomainClaim {
    DnsLabel box;
    CustomDomain domain;
    /// The voucher whose proof it needs.
    Voucher voucher;
    ClaimStatus status = ClaimStatus::waiting;
    /// In a row, while live.
    int failed_checks = 0;
    bool txt_found = false;
    bool points_here = false;
    std::optional<DomainProblem> problem;
    UnixTime waiting_since{0};
    std::optional<UnixTime> checked_at;
    std::optional<UnixTime> verified_at;
    friend bool operator==(const DomainClaim&, const DomainClaim&) = default;
};

/// What a box has just asked for.
DomainClaim new_claim(DnsLabel box, CustomDomain domain, Voucher voucher, UnixTime now);

/// Takes in what a lookup found. Right makes a claim live where the domain is not `taken` by
/// somebody else; the third failed check in a row makes a live one wait.
enum class DomainTaken {
    no,
    yes,
    /// By nobody, but its box had too many new names of late: it waits without a problem.
    not_yet,
};
void take_finding(DomainClaim& claim, const DomainFinding& finding, DomainTaken taken,
                  UnixTime now);

/// Makes the claim fit the voucher its box has now, nullptr for none. One whose voucher went or is
/// another one lapses at once. Says whether it changed.
bool follow_voucher(DomainClaim& claim, const Voucher* voucher, UnixTime now);

} // namespace losos
