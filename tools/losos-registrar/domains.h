// The custom domains of one edge while it runs: claims, vouchers, lookups, the zone. All of it runs
// on the thread of the event loop; only the lookups have threads of their own.
#pragma once

#include "domain_checker.h"
#include "serve_options.h"
#include "vouch_source.h"

#include "core/domains_api.h"
#include "core/further_hosts.h"
#include "core/relay_pass_key.h"
#include "io/http_server.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Whether the edge is official at the moment; only then domains are offered and served.
enum class Official { no, yes };

class Domains {
public:
    /// `stored` is what domains.json held; `found` is called on another thread when a lookup is
    /// done.
    Domains(const ServeOptions& options, std::vector<DomainClaim> stored,
            std::function<void()> found, Instant now);

    /// Whether the flags ask for domains at all.
    bool are_configured() const { return m_place.has_value(); }

    /// Decides a call; the claims it changes are not stored yet. With a key the caller gets a pass.
    HttpReply answer(const DomainsCall& call, const EdgeState& state, Official official,
                     const std::optional<RelayPassKey>& pass_key, Instant now);
    /// Stores what calls changed; on failure every change since the last commit is undone.
    Result<void> commit();
    void undo();

    /// Reads the vouch file again if it changed.
    void refresh() { m_vouched.refresh(); }
    /// Makes the claims follow vouchers, lookups and the clock, stores them, and begins the next
    /// lookups.
    void follow(const EdgeState& state, Official official, Instant now);
    /// Under which further names rows are served now.
    FurtherHosts further_hosts(const EdgeState& state, Official official, MonotonicTime now) const;
    /// Makes the zone file hold what there is.
    Result<void> write_zone(const EdgeState& state, Official official, Instant now);

    /// What the zone file would hold; nullopt where none is written. For a look that changes
    /// nothing, after which further_hosts() are those of a zone that stands.
    Result<std::optional<std::string>> preview(const EdgeState& state, Official official,
                                               Instant now);

    ClaimCounts count() const { return count_claims(m_table); }
    /// Whether lookups came to something that follow() has not seen.
    bool has_findings() const { return m_has_findings; }
    std::optional<MonotonicTime> next_due() const { return m_next_due; }
    std::vector<std::string> faults() const;
    void add_watches(WatchList& list) const { m_vouched.add_watches(list); }
    /// Removes temporary files an interrupted run left.
    void clean_up() const;

private:
    HttpReply decide(const DomainsCall& call, const DnsLabel& box, const EdgeState& state,
                     const std::optional<RelayPass>& pass, Instant now);
    HttpReply view(const DnsLabel& box, const EdgeState& state,
                   const std::optional<RelayPass>& pass, int status) const;
    const Voucher* voucher_of(const DnsLabel& box) const;
    ZoneContent zone_content(const EdgeState& state, Official official) const;
    void take_findings(const EdgeState& state, Instant now);
    void judge_resolver(const CheckedDomain& checked);
    void begin_lookups(Instant now);
    void plan_next(Official official, MonotonicTime now);
    Result<void> store();

    std::optional<ZonePlace> m_place;
    std::optional<ZoneRules> m_zone_rules;
    std::string m_zone_file;
    std::string m_state_file;
    bool m_has_wildcards;
    DomainRules m_rules;
    DomainTable m_table;
    /// The table as it was before the calls that changed it and are not stored yet.
    std::optional<DomainTable> m_before;
    /// What domains.json was last known to hold, and whether no write has failed since.
    std::vector<DomainClaim> m_stored;
    bool m_stored_surely = true;
    VouchSource m_vouched;
    /// The vouched-for that are in the roster.
    Vouchers m_eligible;
    std::string m_store_fault;
    std::optional<ZoneSerial> m_last_serial;
    ZoneSettling m_zone_settling;
    ClaimsInFlight m_in_flight;
    FirstLives m_first_lives;
    /// How many lookups in a row the resolver had no word for, and what that says of it.
    int m_mute_lookups = 0;
    std::string m_resolver_fault;
    std::atomic<bool> m_has_findings{false};
    MonotonicTime m_pass_begun{0};
    std::optional<MonotonicTime> m_next_due;
    /// Last, for its threads use what stands above.
    std::unique_ptr<DomainChecker> m_checker;
};

} // namespace losos
