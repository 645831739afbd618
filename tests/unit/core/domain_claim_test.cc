#include "core/domain_claim.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

#include <random>

using namespace losos;
using namespace losos::make;

namespace {

constexpr UnixTime k_start{1'800'000'000};

DomainClaim fresh() {
    return new_claim(label("anna"), domain("cloud.example.org"), voucher(), k_start);
}

DomainClaim live() {
    auto claim = fresh();
    take_finding(claim, k_right, DomainTaken::no, k_start);
    return claim;
}

} // namespace

TEST_CASE("a claim is live only when both proof and pointing are right") {
    CHECK(fresh().status == ClaimStatus::waiting);
    const auto claim = live();
    CHECK(claim.status == ClaimStatus::live);
    CHECK(claim.problem == std::nullopt);
    CHECK((claim.txt_found && claim.points_here));
    CHECK(claim.verified_at == k_start);
    using enum PointingFinding;
    const auto finding = GENERATE(
        as<DomainFinding>{}, k_no_proof, k_silence, DomainFinding{TxtFinding::right, elsewhere},
        DomainFinding{TxtFinding::right, no_answer}, DomainFinding{TxtFinding::no_answer, here},
        DomainFinding{TxtFinding::wrong, here});
    auto other = fresh();
    take_finding(other, finding, DomainTaken::no, k_start);
    CHECK(other.status == ClaimStatus::waiting);
    CHECK(other.problem.has_value());
    CHECK(other.verified_at == std::nullopt);
    CHECK(other.checked_at == k_start);
}

TEST_CASE("the first thing to put right is the problem shown") {
    using enum PointingFinding;
    const auto [finding, problem] = GENERATE(table<DomainFinding, DomainProblem>(
        {{{TxtFinding::missing, elsewhere}, DomainProblem::txt_missing},
         {{TxtFinding::wrong, no_answer}, DomainProblem::txt_wrong},
         {{TxtFinding::right, elsewhere}, DomainProblem::not_pointing},
         {{TxtFinding::no_answer, elsewhere}, DomainProblem::not_pointing},
         {{TxtFinding::right, no_answer}, DomainProblem::lookup_failed},
         {{TxtFinding::no_answer, here}, DomainProblem::lookup_failed}}));
    auto claim = fresh();
    take_finding(claim, finding, DomainTaken::no, k_start);
    CHECK(claim.problem == problem);
}

TEST_CASE("a live domain lapses at the third failed check in a row, and keeps its claim") {
    auto claim = live();
    take_finding(claim, k_no_proof, DomainTaken::no, k_start + UnixTime(1));
    take_finding(claim, k_no_proof, DomainTaken::no, k_start + UnixTime(2));
    CHECK(claim.status == ClaimStatus::live);
    CHECK(claim.problem == DomainProblem::txt_missing);
    take_finding(claim, k_no_proof, DomainTaken::no, k_start + UnixTime(3));
    CHECK(claim.status == ClaimStatus::waiting);
    CHECK(claim.waiting_since == k_start + UnixTime(3));
    take_finding(claim, k_right, DomainTaken::no, k_start + UnixTime(4));
    CHECK(claim.status == ClaimStatus::live);
    CHECK(claim.failed_checks == 0);
}

TEST_CASE("a check that is right in between starts the count anew") {
    auto claim = live();
    for (const auto& finding : {k_no_proof, k_no_proof, k_right, k_no_proof, k_no_proof}) {
        take_finding(claim, finding, DomainTaken::no, k_start);
    }
    CHECK(claim.status == ClaimStatus::live);
}

TEST_CASE("a lookup without an answer counts neither way") {
    auto claim = live();
    take_finding(claim, k_no_proof, DomainTaken::no, k_start);
    take_finding(claim, k_no_proof, DomainTaken::no, k_start);
    for (int i = 0; i < 100; ++i) {
        take_finding(claim, k_silence, DomainTaken::no, k_start);
    }
    CHECK(claim.status == ClaimStatus::live);
    CHECK(claim.failed_checks == 2);
    CHECK(claim.points_here);
    take_finding(claim, k_no_proof, DomainTaken::no, k_start);
    CHECK(claim.status == ClaimStatus::waiting);
}

TEST_CASE("a domain somebody else has does not become live, however right it is") {
    auto claim = fresh();
    take_finding(claim, k_right, DomainTaken::yes, k_start);
    CHECK(claim.status == ClaimStatus::waiting);
    CHECK(claim.problem == DomainProblem::taken_elsewhere);
    CHECK((claim.txt_found && claim.points_here));
}

TEST_CASE("a claim lapses at once when its box is no longer vouched for") {
    auto claim = live();
    CHECK_FALSE(follow_voucher(claim, &claim.voucher, k_start));
    const auto before = claim.voucher;
    CHECK(follow_voucher(claim, nullptr, k_start + UnixTime(5)));
    CHECK(claim.status == ClaimStatus::waiting);
    CHECK(claim.problem == DomainProblem::stripe_account);
    CHECK(claim.waiting_since == k_start + UnixTime(5));
    CHECK_FALSE(follow_voucher(claim, nullptr, k_start + UnixTime(6)));
    CHECK(follow_voucher(claim, &before, k_start + UnixTime(7)));
    CHECK(claim.problem == std::nullopt);
    CHECK(claim.status == ClaimStatus::waiting);
}

TEST_CASE("another box or account of the same name needs a proof of its own") {
    const auto other = GENERATE(voucher(k_other_uuid), voucher(k_uuid, "acct_2"));
    auto claim = live();
    CHECK(follow_voucher(claim, &other, k_start));
    CHECK(claim.status == ClaimStatus::waiting);
    CHECK(claim.voucher == other);
    CHECK_FALSE(claim.txt_found);
}

TEST_CASE("a claim that waits stays in its place when its voucher goes") {
    auto claim = fresh();
    follow_voucher(claim, nullptr, k_start + UnixTime(100));
    CHECK(claim.waiting_since == k_start);
}

TEST_CASE("whatever comes, a live claim was right once since it last waited") {
    std::mt19937 random(7); // NOLINT(cert-msc51-cpp): the same walks each time
    const std::vector<DomainFinding> findings = {
        k_right, k_no_proof, k_silence, {TxtFinding::right, PointingFinding::elsewhere}};
    const auto one = voucher();
    const auto two = voucher(k_other_uuid);
    for (int walk = 0; walk < 200; ++walk) {
        auto claim = fresh();
        bool was_right = false;
        int wrong = 0;
        for (int step = 0; step < 40; ++step) {
            const auto before = claim;
            switch (random() % 8) {
            case 0:
                follow_voucher(claim, nullptr, k_start);
                break;
            case 1:
                follow_voucher(claim, random() % 2 == 0 ? &one : &two, k_start);
                break;
            default:
                if (claim.problem == DomainProblem::stripe_account) {
                    break;
                }
                const auto& finding = findings[random() % findings.size()];
                take_finding(claim, finding, DomainTaken::no, k_start);
                const auto verdict = judge_finding(finding);
                was_right = was_right || verdict == FindingVerdict::right;
                wrong = verdict == FindingVerdict::right   ? 0
                        : verdict == FindingVerdict::wrong ? wrong + 1
                                                           : wrong;
            }
            if (claim.status == ClaimStatus::waiting) {
                was_right = false;
            }
            if (before.status == ClaimStatus::waiting && claim.status == ClaimStatus::live) {
                wrong = 0;
            }
            CHECK((claim.status == ClaimStatus::waiting || (was_right && wrong < 3)));
            CHECK(claim.failed_checks < k_failed_checks_max);
            CHECK((claim.status == ClaimStatus::waiting ||
                   claim.problem != DomainProblem::stripe_account));
        }
    }
}

TEST_CASE("states and problems are read as they are written") {
    for (const auto status : {ClaimStatus::waiting, ClaimStatus::live}) {
        CHECK(sound(parse_claim_status(text_of(status))) == status);
    }
    for (const auto problem : {DomainProblem::stripe_account, DomainProblem::txt_missing,
                               DomainProblem::txt_wrong, DomainProblem::not_pointing,
                               DomainProblem::taken_elsewhere, DomainProblem::lookup_failed}) {
        CHECK(sound(parse_domain_problem(text_of(problem))) == problem);
    }
    CHECK(text_of(DomainProblem::stripe_account) == "stripeAccount");
    CHECK_FALSE(parse_claim_status("Live").has_value());
    CHECK_FALSE(parse_domain_problem("").has_value());
}
