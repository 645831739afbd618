#include "core/domain_claim.h"

#include "base/format.h"

#include <array>
#include <utility>

namespace losos {
namespace {

constexpr std::array<std::pair<DomainProblem, std::string_view>, 6> k_problems = {
    {{DomainProblem::stripe_account, "stripeAccount"},
     {DomainProblem::txt_missing, "txtMissing"},
     {DomainProblem::txt_wrong, "txtWrong"},
     {DomainProblem::not_pointing, "notPointing"},
     {DomainProblem::taken_elsewhere, "takenElsewhere"},
     {DomainProblem::lookup_failed, "lookupFailed"}}};

constexpr std::string_view k_waiting = "waiting";
constexpr std::string_view k_live = "live";

std::optional<DomainProblem> problem_of(const DomainFinding& finding) {
    switch (finding.txt) {
    case TxtFinding::missing:
        return DomainProblem::txt_missing;
    case TxtFinding::wrong:
        return DomainProblem::txt_wrong;
    case TxtFinding::right:
    case TxtFinding::no_answer:
        break;
    }
    switch (finding.pointing) {
    case PointingFinding::elsewhere:
        return DomainProblem::not_pointing;
    case PointingFinding::no_answer:
        return DomainProblem::lookup_failed;
    case PointingFinding::here:
        break;
    }
    return finding.txt == TxtFinding::right ? std::nullopt
                                            : std::optional(DomainProblem::lookup_failed);
}

void lapse(DomainClaim& claim, UnixTime now) {
    if (claim.status == ClaimStatus::live) {
        claim.status = ClaimStatus::waiting;
        claim.waiting_since = now;
    }
    claim.failed_checks = 0;
}

void note_wrong(DomainClaim& claim, UnixTime now) {
    if (claim.status == ClaimStatus::live && ++claim.failed_checks >= k_failed_checks_max) {
        lapse(claim, now);
    }
}

void note_right(DomainClaim& claim, DomainTaken taken, UnixTime now) {
    claim.failed_checks = 0;
    if (taken == DomainTaken::not_yet) {
        return;
    }
    claim.verified_at = now;
    if (claim.status == ClaimStatus::live) {
        return;
    }
    if (taken == DomainTaken::yes) {
        claim.problem = DomainProblem::taken_elsewhere;
    } else {
        claim.status = ClaimStatus::live;
    }
}

} // namespace

std::string_view text_of(ClaimStatus status) {
    return status == ClaimStatus::live ? k_live : k_waiting;
}

std::string_view text_of(DomainProblem problem) {
    for (const auto& [value, text] : k_problems) {
        if (value == problem) {
            return text;
        }
    }
    return {};
}

Result<ClaimStatus> parse_claim_status(std::string_view text) {
    if (text == k_live) {
        return ClaimStatus::live;
    }
    if (text == k_waiting) {
        return ClaimStatus::waiting;
    }
    return fail(Errc::failed, "a claim is {} or {}", k_live, k_waiting);
}

Result<DomainProblem> parse_domain_problem(std::string_view text) {
    for (const auto& [value, spelling] : k_problems) {
        if (spelling == text) {
            return value;
        }
    }
    return Error{Errc::failed, "a problem is stripeAccount, txtMissing, txtWrong, notPointing, "
                               "takenElsewhere or lookupFailed"};
}

DomainClaim new_claim(DnsLabel box, CustomDomain domain, Voucher voucher, UnixTime now) {
    return {.box = std::move(box),
            .domain = std::move(domain),
            .voucher = std::move(voucher),
            .problem = std::nullopt,
            .waiting_since = now,
            .checked_at = std::nullopt,
            .verified_at = std::nullopt};
}

void take_finding(DomainClaim& claim, const DomainFinding& finding, DomainTaken taken,
                  UnixTime now) {
    claim.checked_at = now;
    claim.problem = problem_of(finding);
    // What was not answered leaves what was known.
    if (finding.txt != TxtFinding::no_answer) {
        claim.txt_found = finding.txt == TxtFinding::right;
    }
    if (finding.pointing != PointingFinding::no_answer) {
        claim.points_here = finding.pointing == PointingFinding::here;
    }
    switch (judge_finding(finding)) {
    case FindingVerdict::right:
        return note_right(claim, taken, now);
    case FindingVerdict::wrong:
        return note_wrong(claim, now);
    case FindingVerdict::open:
        return;
    }
}

bool follow_voucher(DomainClaim& claim, const Voucher* voucher, UnixTime now) {
    if (voucher == nullptr) {
        if (claim.problem == DomainProblem::stripe_account) {
            return false;
        }
        lapse(claim, now);
        claim.problem = DomainProblem::stripe_account;
        return true;
    }
    const bool is_back = claim.problem == DomainProblem::stripe_account;
    const bool is_another = claim.voucher != *voucher;
    if (!is_back && !is_another) {
        return false;
    }
    if (is_another) {
        // It was another box, or another account's, that the owner of the domain said yes to.
        lapse(claim, now);
        claim.voucher = *voucher;
        claim.txt_found = false;
    }
    claim.problem = std::nullopt;
    return true;
}

} // namespace losos
