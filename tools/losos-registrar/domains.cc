#include "domains.h"

#include "domain_replies.h"

#include "base/format.h"
#include "base/log.h"
#include "core/domain_proof.h"
#include "files/domains_file.h"
#include "files/paths.h"
#include "files/zone_file.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

/// Passes begin no closer together, however much there is to look up.
constexpr Duration k_between_passes{1000};
/// After so many lookups in a row without a word of the resolver it is the resolver's fault.
constexpr int k_mute_lookups_max = 3;

OwnNames own_names_of(const ServeOptions& options) {
    OwnNames own{{}, options.reserved_hosts};
    for (const auto& tree : {options.public_domain, options.public_host, options.domains.zone}) {
        if (tree) {
            own.trees.push_back(*tree);
        }
    }
    return own;
}

std::optional<ZonePlace> place_of(const ServeOptions& options) {
    if (!options.domains.zone || options.lan_advertise) {
        return std::nullopt;
    }
    return ZonePlace{*options.domains.zone, addresses_of(options.domains)};
}

} // namespace

Domains::Domains(const ServeOptions& options, std::vector<DomainClaim> stored,
                 std::function<void()> found, Instant now)
    : m_place(place_of(options)),
      m_zone_rules(m_place ? zone_rules_of(options.domains) : std::nullopt),
      m_zone_file(options.domains.zone_file.value_or("")),
      m_state_file(domains_state_file(options)),
      m_has_wildcards(options.wildcard_resolver.has_value()), m_rules{options.domains.check_waiting,
                                                                      options.domains.check_live,
                                                                      own_names_of(options)},
      m_table(restore_domains(stored, m_rules, now)), m_stored(std::move(stored)),
      m_vouched(m_place ? options.domains.vouch_file : std::nullopt, vouchers_in(m_table)) {
    if (m_place && options.domains.check_url) {
        m_checker = std::make_unique<DomainChecker>(*options.domains.check_url,
                                                    [this, found = std::move(found)] {
                                                        m_has_findings = true;
                                                        found();
                                                    });
    }
}

void Domains::clean_up() const {
    if (m_place) {
        remove_leftovers(m_state_file);
    }
    if (m_zone_rules) {
        remove_leftovers(m_zone_file);
    }
}

const Voucher* Domains::voucher_of(const DnsLabel& box) const {
    const auto found = m_eligible.find(box);
    return found == m_eligible.end() ? nullptr : &found->second;
}

HttpReply Domains::view(const DnsLabel& box, const EdgeState& state,
                        const std::optional<RelayPass>& pass, int status) const {
    auto view = view_domains(m_table, box, voucher_of(box), *m_place, hostnames_in(state), m_rules);
    view.relay_pass = pass;
    return json_reply(status, render_domains_view(view));
}

HttpReply Domains::answer(const DomainsCall& call, const EdgeState& state, Official official,
                          const std::optional<RelayPassKey>& pass_key, Instant now) {
    if (check_caller(state.roster, call.appliance_id, call.token) != CallerVerdict::accepted) {
        return reply_unauthorized();
    }
    if (!m_place || official == Official::no) {
        return reply_domains_not_offered();
    }
    m_eligible = eligible_among(m_vouched.vouchers(), state.roster);
    const auto box = *DnsLabel::parse(call.appliance_id);
    const auto pass = pass_key ? std::optional(pass_key->pass_for(box, now.unix)) : std::nullopt;
    return decide(call, box, state, pass, now);
}

HttpReply Domains::decide(const DomainsCall& call, const DnsLabel& box, const EdgeState& state,
                          const std::optional<RelayPass>& pass, Instant now) {
    if (call.action != DomainsAction::list && !m_before) {
        m_before = m_table;
    }
    switch (call.action) {
    case DomainsAction::list:
        return view(box, state, pass, 200);
    case DomainsAction::add: {
        const auto outcome = add_domain(m_table, box, call.domain, voucher_of(box),
                                        hostnames_in(state), m_rules, now);
        switch (outcome.what) {
        case DomainAddition::added:
            return view(box, state, pass, 201);
        case DomainAddition::already_own:
            return view(box, state, pass, 200);
        default:
            return reply_to_refused_addition(outcome);
        }
    }
    case DomainsAction::remove:
        return remove_domain(m_table, box, call.domain) ? view(box, state, pass, 200)
                                                        : reply_no_such_domain();
    }
    return text_reply(500, "internal fault");
}

Result<void> Domains::commit() {
    if (!m_before) {
        return {};
    }
    auto stored = store();
    if (!stored) {
        undo();
    }
    m_before.reset();
    return stored;
}

void Domains::undo() {
    if (m_before) {
        m_table = *std::move(m_before);
        m_before.reset();
    }
}

Result<void> Domains::store() {
    if (!m_place || (m_stored_surely && are_stored_as(m_table, m_stored))) {
        return {};
    }
    auto claims = claims_of(m_table);
    m_stored_surely = false;
    TRY_ASSIGN([[maybe_unused]] const auto change, domains_file::store(m_state_file, claims));
    m_stored = std::move(claims);
    m_stored_surely = true;
    return {};
}

void Domains::take_findings(const EdgeState& state, Instant now) {
    m_has_findings = false;
    if (!m_checker) {
        return;
    }
    const auto hostnames = hostnames_in(state);
    for (const auto& checked : m_checker->take()) {
        const auto& check = checked.check;
        m_in_flight.erase({check.domain, check.box});
        judge_resolver(checked);
        const auto status =
            take_check(m_table, check, checked.finding, hostnames, m_rules, now, &m_first_lives);
        if (status) {
            log(LogLevel::notice, "{} of {} is {}", check.domain.text(), check.box.text(),
                *status == ClaimStatus::live ? "live: its proof is right"
                                             : "off: its proof failed three times");
        }
        if (status == ClaimStatus::live && !m_first_lives.has_room(check.box, now.monotonic)) {
            log(LogLevel::notice, "{} had {} new names within a day: further ones wait",
                check.box.text(), k_first_lives_max);
        }
    }
}

void Domains::judge_resolver(const CheckedDomain& checked) {
    if (checked.was_answered) {
        m_mute_lookups = 0;
        m_resolver_fault.clear();
        return;
    }
    if (checked.trouble.empty() || !m_resolver_fault.empty()) {
        return;
    }
    m_mute_lookups++;
    if (m_mute_lookups >= k_mute_lookups_max) {
        m_resolver_fault = format("no question to --dns-check-url is answered, so no custom domain "
                                  "goes live: {}; see that the flag is right and that this machine "
                                  "gets there",
                                  checked.trouble);
    }
}

void Domains::follow(const EdgeState& state, Official official, Instant now) {
    if (!m_place) {
        return;
    }
    m_eligible = eligible_among(m_vouched.vouchers(), state.roster);
    for (const auto& domain : follow_vouchers(m_table, m_eligible, now)) {
        log(LogLevel::notice, "{} is off: its box is no longer vouched for as it was",
            domain.text());
    }
    take_findings(state, now);
    if (m_table.empty()) {
        // Nothing is looked up any more that could clear it.
        m_resolver_fault.clear();
    }
    if (official == Official::yes) {
        for (const auto& claim : drop_overdue(m_table, now.monotonic)) {
            log(LogLevel::notice, "the claim of {} to {} is dropped: it waited for seven days",
                claim.box.text(), claim.domain.text());
        }
        begin_lookups(now);
    }
    const auto stored = store();
    m_store_fault = stored ? std::string() : stored.error().what;
    plan_next(official, now.monotonic);
}

void Domains::begin_lookups(Instant now) {
    if (!m_checker || now.monotonic < m_pass_begun + k_between_passes) {
        return;
    }
    std::vector<std::pair<DomainCheck, DomainLookup>> pass;
    for (auto& check : plan_checks(m_table, m_in_flight, now.monotonic)) {
        const auto target = zone_name_of(check.voucher.box_uuid, m_place->zone);
        if (!target) {
            continue;
        }
        DomainLookup lookup({check.domain, proof_text_of(check.domain, check.voucher), *target,
                             m_place->addresses});
        m_in_flight.emplace(check.domain, check.box);
        pass.emplace_back(std::move(check), std::move(lookup));
    }
    if (!pass.empty()) {
        m_pass_begun = now.monotonic;
        m_checker->begin(std::move(pass));
    }
}

/// A lookup that comes back wakes the loop by itself, so a full house needs no look at the clock.
void Domains::plan_next(Official official, MonotonicTime now) {
    m_next_due = official == Official::yes ? m_zone_settling.next(now) : std::nullopt;
    if (official == Official::no || !m_checker) {
        return;
    }
    if (const auto due = next_domain_due(m_table, m_in_flight)) {
        const auto look = std::max({*due, m_pass_begun + k_between_passes, now});
        m_next_due = m_next_due ? std::min(*m_next_due, look) : look;
    }
}

FurtherHosts Domains::further_hosts(const EdgeState& state, Official official,
                                    MonotonicTime now) const {
    if (!m_place || official == Official::no) {
        return {};
    }
    auto hosts = hosts_of_boxes(m_eligible, m_place->zone,
                                served_domains(m_table, hostnames_in(state), m_rules));
    for (auto& [_, names] : hosts) {
        std::erase_if(names, [&](const DnsName& name) {
            return m_zone_rules && is_at_or_under(name, m_place->zone) &&
                   !m_zone_settling.is_settled(name, now);
        });
    }
    return hosts;
}

ZoneContent Domains::zone_content(const EdgeState& state, Official official) const {
    ZoneContent content;
    content.official = official == Official::yes;
    if (!content.official) {
        return content;
    }
    for (const auto& [_, voucher] : m_eligible) {
        if (auto name = zone_name_of(voucher.box_uuid, m_zone_rules->zone)) {
            content.hosts.push_back(*std::move(name));
        }
    }
    for (const auto& [_, row] : state.rows) {
        content.hosts.push_back(row.hostname);
    }
    for (const auto& [_, entry] : state.roster) {
        content.hosts.push_back(entry.hostname);
        if (m_has_wildcards && entry.relay_zone) {
            content.challenge_zones.push_back(*entry.relay_zone);
        }
    }
    return content;
}

Result<void> Domains::write_zone(const EdgeState& state, Official official, Instant now) {
    if (!m_zone_rules) {
        return {};
    }
    const auto content = zone_content(state, official);
    TRY_ASSIGN(const auto standing, zone_file::load(m_zone_file));
    const auto plan = plan_zone(*m_zone_rules, content, standing, m_last_serial, now.unix);
    TRY_ASSIGN([[maybe_unused]] const auto change, zone_file::store(m_zone_file, plan.text));
    m_last_serial = plan.serial;
    m_zone_settling.follow(content.hosts, standing, now.monotonic);
    plan_next(official, now.monotonic);
    return {};
}

Result<std::optional<std::string>> Domains::preview(const EdgeState& state, Official official,
                                                    Instant now) {
    m_eligible = eligible_among(m_vouched.vouchers(), state.roster);
    if (!m_zone_rules) {
        return std::optional<std::string>();
    }
    const auto content = zone_content(state, official);
    TRY_ASSIGN(const auto standing, zone_file::load(m_zone_file));
    auto plan = plan_zone(*m_zone_rules, content, standing, std::nullopt, now.unix);
    m_zone_settling.follow(content.hosts, plan.text, now.monotonic);
    return std::optional(std::move(plan.text));
}

std::vector<std::string> Domains::faults() const {
    auto faults = m_vouched.faults();
    for (const auto& fault : {m_store_fault, m_resolver_fault}) {
        if (!fault.empty()) {
            faults.push_back(fault);
        }
    }
    return faults;
}

} // namespace losos
