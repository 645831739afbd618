#include "core/domain_table.h"

#include <algorithm>
#include <set>
#include <utility>

namespace losos {
namespace {

MonotonicTime after_at_most(UnixTime since, Duration term, Instant now) {
    const auto passed = std::chrono::duration_cast<Duration>(now.unix - since);
    return now.monotonic + std::clamp(term - passed, Duration(0), term);
}

std::size_t count_of(const DomainTable& table, const DnsLabel& box) {
    return static_cast<std::size_t>(
        std::count_if(table.begin(), table.end(),
                      [&](const auto& entry) { return entry.second.claim.box == box; }));
}

bool is_live_elsewhere(const DomainTable& table, const CustomDomain& domain, const DnsLabel& box) {
    for (auto at = table.lower_bound({domain, box}); at != table.begin();) {
        --at;
        if (at->first.first != domain) {
            break;
        }
        if (at->second.claim.status == ClaimStatus::live) {
            return true;
        }
    }
    for (auto at = table.upper_bound({domain, box}); at != table.end() && at->first.first == domain;
         ++at) {
        if (at->second.claim.status == ClaimStatus::live) {
            return true;
        }
    }
    return false;
}

bool is_looked_up(const TrackedClaim& tracked) {
    return tracked.claim.problem != DomainProblem::stripe_account;
}

bool lacks_an_answer(const DomainFinding& finding) {
    return finding.txt == TxtFinding::no_answer || finding.pointing == PointingFinding::no_answer;
}

/// Whose lookups are out; those of claims taken back meanwhile count.
class BusyBoxes {
public:
    explicit BusyBoxes(const ClaimsInFlight& in_flight) {
        for (const auto& [_, box] : in_flight) {
            ++m_out[box];
        }
    }
    bool has_place(const DnsLabel& box) const {
        const auto out = m_out.find(box);
        return out == m_out.end() || out->second < k_domains_per_box;
    }

private:
    std::map<DnsLabel, std::size_t> m_out;
};

std::vector<const TrackedClaim*> longest_overdue(std::vector<const TrackedClaim*> claims,
                                                 std::size_t count) {
    std::stable_sort(claims.begin(), claims.end(),
                     [](const TrackedClaim* a, const TrackedClaim* b) { return a->due < b->due; });
    claims.resize(std::min(claims.size(), count));
    return claims;
}

Duration term_of(const DomainClaim& claim, const DomainRules& rules) {
    return claim.status == ClaimStatus::live ? rules.check_live : rules.check_waiting;
}

} // namespace

HostnameSet hostnames_in(const EdgeState& state) {
    HostnameSet hostnames;
    hostnames.reserve(state.roster.size() + state.rows.size());
    for (const auto& [_, entry] : state.roster) {
        hostnames.insert(entry.hostname.text());
    }
    for (const auto& [_, row] : state.rows) {
        hostnames.insert(row.hostname.text());
    }
    return hostnames;
}

DomainTable restore_domains(std::vector<DomainClaim> stored, const DomainRules& rules,
                            Instant now) {
    DomainTable table;
    std::set<CustomDomain> live;
    for (DomainClaim& claim : stored) {
        if (claim.status == ClaimStatus::live && !live.insert(claim.domain).second) {
            claim.status = ClaimStatus::waiting;
            claim.waiting_since = now.unix;
            claim.failed_checks = 0;
        }
        const bool is_live = claim.status == ClaimStatus::live;
        const auto due = is_live && claim.checked_at
                             ? after_at_most(*claim.checked_at, rules.check_live, now)
                             : now.monotonic;
        const auto dropped_at = after_at_most(claim.waiting_since, k_claim_waits, now);
        const bool had_silence = claim.problem == DomainProblem::lookup_failed;
        auto key = std::make_pair(claim.domain, claim.box);
        table.emplace(std::move(key), TrackedClaim{std::move(claim), due, dropped_at, had_silence});
    }
    return table;
}

std::vector<DomainClaim> claims_of(const DomainTable& table) {
    std::vector<DomainClaim> claims;
    claims.reserve(table.size());
    for (const auto& [_, tracked] : table) {
        claims.push_back(tracked.claim);
    }
    return claims;
}

ClaimCounts count_claims(const DomainTable& table) {
    ClaimCounts counts;
    for (const auto& [_, tracked] : table) {
        ++(tracked.claim.status == ClaimStatus::live ? counts.live : counts.waiting);
    }
    return counts;
}

bool are_stored_as(const DomainTable& table, const std::vector<DomainClaim>& stored) {
    return std::equal(table.begin(), table.end(), stored.begin(), stored.end(),
                      [](const auto& entry, const DomainClaim& known) {
                          const DomainClaim& claim = entry.second.claim;
                          if (claim == known || claim.checked_at == known.checked_at) {
                              return claim == known;
                          }
                          auto looked_up = known;
                          looked_up.checked_at = claim.checked_at;
                          return claim == looked_up;
                      });
}

AdditionOutcome add_domain(DomainTable& table, const DnsLabel& box, const std::string& text,
                           const Voucher* voucher, const HostnameSet& hostnames,
                           const DomainRules& rules, Instant now) {
    auto domain = CustomDomain::parse(text);
    if (!domain) {
        return {DomainAddition::not_a_domain, std::move(domain).error().what};
    }
    if (table.contains({*domain, box})) {
        return {DomainAddition::already_own, {}};
    }
    if (rules.own.cover(domain->name())) {
        return {DomainAddition::own_name, {}};
    }
    if (voucher == nullptr) {
        return {DomainAddition::not_vouched, {}};
    }
    if (hostnames.contains(domain->text())) {
        return {DomainAddition::hostname_held, {}};
    }
    if (is_live_elsewhere(table, *domain, box)) {
        return {DomainAddition::taken, {}};
    }
    if (count_of(table, box) >= k_domains_per_box) {
        return {DomainAddition::box_full, {}};
    }
    if (table.size() >= k_domains_per_edge) {
        return {DomainAddition::edge_full, {}};
    }
    auto key = std::make_pair(*domain, box);
    table.emplace(std::move(key), TrackedClaim{new_claim(box, *domain, *voucher, now.unix),
                                               now.monotonic, now.monotonic + k_claim_waits});
    return {DomainAddition::added, {}};
}

bool remove_domain(DomainTable& table, const DnsLabel& box, const std::string& text) {
    auto domain = CustomDomain::parse(text);
    return domain && table.erase({*std::move(domain), box}) > 0;
}

std::vector<CustomDomain> follow_vouchers(DomainTable& table, const Vouchers& vouchers,
                                          Instant now) {
    std::vector<CustomDomain> lapsed;
    for (auto& [_, tracked] : table) {
        const auto voucher = vouchers.find(tracked.claim.box);
        const bool was_live = tracked.claim.status == ClaimStatus::live;
        if (!follow_voucher(tracked.claim, voucher == vouchers.end() ? nullptr : &voucher->second,
                            now.unix)) {
            continue;
        }
        tracked.due = now.monotonic;
        if (was_live && tracked.claim.status == ClaimStatus::waiting) {
            tracked.dropped_at = now.monotonic + k_claim_waits;
            lapsed.push_back(tracked.claim.domain);
        }
    }
    return lapsed;
}

Vouchers vouchers_in(const DomainTable& table) {
    Vouchers vouchers;
    for (const auto& [_, tracked] : table) {
        if (tracked.claim.problem != DomainProblem::stripe_account) {
            vouchers.emplace(tracked.claim.box, tracked.claim.voucher);
        }
    }
    return vouchers;
}

Vouchers eligible_among(Vouchers vouchers, const Roster& roster) {
    std::erase_if(vouchers, [&](const auto& entry) { return !roster.contains(entry.first); });
    return vouchers;
}

std::vector<DomainClaim> drop_overdue(DomainTable& table, MonotonicTime now) {
    std::vector<DomainClaim> dropped;
    std::erase_if(table, [&](const auto& entry) {
        const TrackedClaim& tracked = entry.second;
        if (tracked.claim.status == ClaimStatus::live || now < tracked.dropped_at) {
            return false;
        }
        dropped.push_back(tracked.claim);
        return true;
    });
    return dropped;
}

std::vector<DomainCheck> plan_checks(const DomainTable& table, const ClaimsInFlight& in_flight,
                                     MonotonicTime now) {
    std::vector<const TrackedClaim*> answered;
    std::vector<const TrackedClaim*> unanswered;
    std::size_t slow_in_flight = 0;
    const BusyBoxes busy(in_flight);
    for (const auto& [key, tracked] : table) {
        if (in_flight.contains(key)) {
            slow_in_flight += tracked.had_silence ? 1 : 0;
        } else if (tracked.due <= now && is_looked_up(tracked) && busy.has_place(key.second)) {
            (tracked.had_silence ? unanswered : answered).push_back(&tracked);
        }
    }
    const auto left_of = [](std::size_t all, std::size_t taken) {
        return all - std::min(all, taken);
    };
    const auto places = left_of(k_checks_at_once, in_flight.size());
    const auto slow =
        std::min({unanswered.size(), left_of(k_unanswered_at_once, slow_in_flight), places});
    auto chosen = longest_overdue(std::move(answered), places - slow);
    for (const TrackedClaim* tracked : longest_overdue(std::move(unanswered), slow)) {
        chosen.push_back(tracked);
    }
    std::vector<DomainCheck> checks;
    checks.reserve(chosen.size());
    for (const TrackedClaim* tracked : chosen) {
        const DomainClaim& claim = tracked->claim;
        checks.push_back({claim.box, claim.domain, claim.voucher});
    }
    return checks;
}

std::optional<ClaimStatus> take_check(DomainTable& table, const DomainCheck& check,
                                      const DomainFinding& finding, const HostnameSet& hostnames,
                                      const DomainRules& rules, Instant now,
                                      FirstLives* first_lives) {
    const auto found = table.find({check.domain, check.box});
    if (found == table.end() || found->second.claim.voucher != check.voucher ||
        !is_looked_up(found->second)) {
        return std::nullopt;
    }
    TrackedClaim& tracked = found->second;
    const auto before = tracked.claim.status;
    const bool is_new = !tracked.claim.verified_at && first_lives != nullptr;
    auto taken = DomainTaken::no;
    if (is_taken_elsewhere(table, tracked.claim, hostnames, rules)) {
        taken = DomainTaken::yes;
    } else if (is_new && !first_lives->has_room(check.box, now.monotonic)) {
        taken = DomainTaken::not_yet;
    }
    take_finding(tracked.claim, finding, taken, now.unix);
    tracked.had_silence = lacks_an_answer(finding);
    const auto after = tracked.claim.status;
    tracked.due = now.monotonic + term_of(tracked.claim, rules);
    if (before == after) {
        return std::nullopt;
    }
    if (after == ClaimStatus::waiting) {
        tracked.dropped_at = now.monotonic + k_claim_waits;
    } else if (is_new) {
        first_lives->add(check.box, now.monotonic);
    }
    return after;
}

std::optional<MonotonicTime> next_domain_due(const DomainTable& table,
                                             const ClaimsInFlight& in_flight) {
    const auto slow_in_flight =
        std::count_if(in_flight.begin(), in_flight.end(), [&](const ClaimKey& key) {
            const auto found = table.find(key);
            return found != table.end() && found->second.had_silence;
        });
    const bool slow_are_full = slow_in_flight >= static_cast<long>(k_unanswered_at_once);
    const bool all_is_full = in_flight.size() >= k_checks_at_once;
    const BusyBoxes busy(in_flight);
    std::optional<MonotonicTime> next;
    const auto consider = [&](MonotonicTime moment) {
        next = next ? std::min(*next, moment) : moment;
    };
    for (const auto& [key, tracked] : table) {
        if (tracked.claim.status == ClaimStatus::waiting) {
            consider(tracked.dropped_at);
        }
        const bool has_place =
            !all_is_full && !(slow_are_full && tracked.had_silence) && busy.has_place(key.second);
        if (has_place && is_looked_up(tracked) && !in_flight.contains(key)) {
            consider(tracked.due);
        }
    }
    return next;
}

bool is_taken_elsewhere(const DomainTable& table, const DomainClaim& claim,
                        const HostnameSet& hostnames, const DomainRules& rules) {
    return hostnames.contains(claim.domain.text()) || rules.own.cover(claim.domain.name()) ||
           is_live_elsewhere(table, claim.domain, claim.box);
}

std::map<DnsLabel, std::vector<DnsName>>
served_domains(const DomainTable& table, const HostnameSet& hostnames, const DomainRules& rules) {
    std::map<DnsLabel, std::vector<DnsName>> served;
    for (const auto& [_, tracked] : table) {
        const DomainClaim& claim = tracked.claim;
        if (claim.status == ClaimStatus::live &&
            !is_taken_elsewhere(table, claim, hostnames, rules)) {
            served[claim.box].push_back(claim.domain.name());
        }
    }
    return served;
}

} // namespace losos
