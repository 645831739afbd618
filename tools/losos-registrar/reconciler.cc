#include "reconciler.h"

#include "base/log.h"
#include "core/port_rest.h"
#include "core/rathole_config.h"
#include "files/compute_windows_file.h"
#include "files/registry_file.h"
#include "io/clock.h"
#include "io/tcp_table.h"
#include "tunnel_head.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

Instant now_on_both_clocks() {
    return {monotonic_now(), unix_now()};
}

} // namespace

Reconciler::Reconciler(Start start, Published& published, std::function<void()> found,
                       std::function<void()> news, Instant now)
    : m_options(std::move(start.options)), m_rules(edge_rules_of(m_options)),
      m_certificates(certificate_rules_of(m_options)), m_source(std::move(start.roster)),
      m_identity(m_options), m_domains(m_options, std::move(start.claims), std::move(found), now),
      m_mesh(m_options.mesh, !m_options.lan_advertise, std::move(news)),
      m_routes(m_options, start.bindings),
      m_state(restore_state(start.registry, m_source.roster(), m_rules, now)),
      m_stored(std::move(start.registry)), m_published(published),
      m_publisher(m_options, std::move(start.head)),
      m_status(m_options, std::move(start.boot_id), start.advert, now.unix),
      m_advert(std::move(start.advert)), m_warnings(std::move(start.warnings)),
      m_contacts(now.monotonic), m_next_due(now.monotonic) {
    m_state.bindings = std::move(start.bindings);
    m_publisher.clean_up();
    m_domains.clean_up();
    if (m_options.mesh.windows_file) {
        remove_leftovers(*m_options.mesh.windows_file);
    }
    rest_forgotten(m_state, m_publisher.routed_before(), m_rules, now);
    end_rests(now);
    follow_rows(now.monotonic);
    for (const auto& [id, pass] : start.passes) {
        m_contacts.tenant_heard(id, {PassUpdate::What::set, pass}, now.monotonic);
    }
}

void Reconciler::follow_rows(MonotonicTime now) {
    const auto change = m_contacts.follow(m_state.rows, now);
    const bool roster_is_news = std::exchange(m_roster_is_news, false);
    if (change == Change::unchanged && !roster_is_news) {
        return;
    }
    auto table = std::make_shared<const CallerTable>(m_state.roster, m_contacts.presences());
    m_published.callers.with([&](auto& callers) { callers = std::move(table); });
}

void Reconciler::refresh_inputs(const HttpCounters& counters) {
    read_head();
    take_roster(m_source.refresh());
    auto identity = m_identity.read(unix_now());
    m_status.set_identity(identity ? identity->certificate : std::nullopt);
    m_published.identity.with([&](auto& published) { published = std::move(identity); });
    m_rules.pass_key = m_routes.read_key();
    m_domains.refresh();
    m_mesh.refresh();
    m_published.relay_pass_key.with([&](auto& key) { key = m_rules.pass_key; });
    reconcile(counters);
}

void Reconciler::take_roster(Change change) {
    if (change == Change::changed) {
        m_state.roster = m_source.roster();
        m_roster_is_news = true;
        // Whether the list of the enrolled can be written again is seen by the next who enrols.
        m_enrolment_fault.clear();
    }
}

void Reconciler::read_head() {
    if (!m_options.rathole.config) {
        return;
    }
    auto head = read_tunnel_head(m_options.rathole);
    auto public_key = head ? noise_public_key_of(*head) : std::move(head).error();
    if (!public_key) {
        m_head_fault = public_key.error().what + "; tunnels go on with the last good one";
        return;
    }
    m_publisher.set_head(*std::move(head));
    m_published.noise_public_key.with([&](auto& key) { key = *std::move(public_key); });
    m_head_fault.clear();
}

void Reconciler::forgive_lateness(MonotonicTime now) {
    constexpr Duration k_punctual{1000};
    const auto lateness = std::chrono::duration_cast<Duration>(now - m_next_due);
    if (lateness < k_punctual) {
        return;
    }
    log(LogLevel::warning, "this process did not run for {}; nobody is pruned for it",
        render_duration(lateness));
    m_contacts.forgive_all(lateness, now);
}

void Reconciler::drop_members() {
    for (const DnsLabel& gone : drop_windows(m_state)) {
        log(LogLevel::notice, "{} is no member of the mesh any more", gone.text());
    }
}

Result<void> Reconciler::write_windows(const std::map<DnsLabel, HeardIdleness>& heard,
                                       MonotonicTime now) const {
    if (!m_options.mesh.windows_file) {
        return {};
    }
    TRY_ASSIGN([[maybe_unused]] const auto change,
               compute_windows_file::store(*m_options.mesh.windows_file,
                                           plan_compute_nodes(m_state.compute_windows, heard,
                                                              m_options.heartbeat_ttl, now)));
    return {};
}

void Reconciler::drop_rows(const HttpCounters& counters, Instant now) {
    follow_roster_hostnames(m_state);
    for (const RowId& id : find_orphans(m_state, m_rules)) {
        log(LogLevel::notice, "{} is dropped: {}", id.text(), explain_orphan(m_state, id));
        remove_row(m_state, id, m_rules, now);
    }
    for (const BindingMove& move : release_orphans(m_state.bindings, m_state.roster)) {
        log(LogLevel::notice, "{}: it is no gateway any more", describe(move));
    }
    const LivenessRules liveness{m_options.heartbeat_ttl, counters.last_shed};
    std::vector<RowId> silent;
    const auto contacts = m_contacts.last_of(m_state.rows);
    auto contact = contacts.begin();
    for (const auto& [id, _] : m_state.rows) {
        if (has_expired(*contact++, now.monotonic, liveness)) {
            silent.push_back(id);
        }
    }
    for (const RowId& id : silent) {
        log(LogLevel::notice, "{} is pruned: nothing heard for {}", id.text(),
            render_duration(m_options.heartbeat_ttl));
        remove_row(m_state, id, m_rules, now);
        m_status.count_pruned();
    }
}

void Reconciler::reconcile(const HttpCounters& counters) {
    const auto begun = monotonic_microseconds();
    const Instant now = now_on_both_clocks();
    forgive_lateness(now.monotonic);
    drop_rows(counters, now);
    drop_members();

    std::vector<std::string> faults = m_warnings;
    const auto note = [&](Result<void> outcome) {
        if (!outcome) {
            faults.push_back(std::move(outcome).error().what);
        }
    };
    const auto is_official = official(now.unix);
    m_domains.follow(m_state, is_official, now);
    note(m_domains.write_zone(m_state, is_official, now));
    m_further = m_domains.further_hosts(m_state, is_official, now.monotonic);
    const auto routes = routes_at(now.unix);
    note(follow_routes(routes));
    m_status.set_names(m_domains.count(), routes.size());
    const ServingPlan plan = plan_serving(m_state, m_certificates, m_further, routes);
    note(m_publisher.write_services(plan, now.monotonic));
    note(m_publisher.write_live_boxes(plan_live_boxes(m_state, m_contacts.passes())));
    note(m_publisher.write_routers(plan, now.monotonic));
    note(write_windows(m_contacts.idleness_of(m_state.compute_windows), now.monotonic));
    note(m_advert ? m_publisher.write_advert(*m_advert) : Result<void>());
    end_rests(now_on_both_clocks());
    if (!registry_is_stored()) {
        note(store_registry());
    }
    follow_rows(now.monotonic);

    gather_faults(std::move(faults));
    const auto contacts = m_contacts.last_of(m_state.rows);
    store_status(contacts, counters, now);
    m_status.count_reconcile(monotonic_microseconds() - begun);
    plan_next(contacts, counters, now.monotonic);
}

void Reconciler::gather_faults(std::vector<std::string> faults) {
    for (const auto& from_files :
         {m_source.faults(), m_identity.faults(), m_domains.faults(), m_mesh.faults()}) {
        faults.insert(faults.end(), from_files.begin(), from_files.end());
    }
    for (const auto& fault :
         {m_commit_fault, m_enrolment_fault, m_head_fault, m_table_fault, m_routes.fault()}) {
        if (!fault.empty()) {
            faults.push_back(fault);
        }
    }
    m_status.set_faults(std::move(faults));
}

Official Reconciler::official(UnixTime now) const {
    const auto identity = m_published.identity.copy();
    return identity && identity->certificate && !has_expired(*identity->certificate, now)
               ? Official::yes
               : Official::no;
}

std::vector<DomainRoute> Reconciler::routes_at(UnixTime now) const {
    return plan_routes(m_state, m_further, now);
}

Result<void> Reconciler::follow_routes(const std::vector<DomainRoute>& routes) {
    m_routes.tell(routes);
    return m_routes.store(m_state.bindings, routes);
}

void Reconciler::end_rests(Instant now) {
    if (some_rest_ends(m_state, now.monotonic)) {
        const auto connected = connected_loopback_ports();
        if (connected) {
            prolong_rests(m_state, *connected, now.monotonic);
        }
        m_table_fault = connected ? std::string()
                                  : connected.error().what +
                                        "; ports that have rested are given on without a look at "
                                        "who is still connected";
    }
    advance_resting(m_state, m_publisher.routed_ports(), m_rules, now);
}

void Reconciler::store_status(const std::vector<MonotonicTime>& contacts,
                              const HttpCounters& counters, Instant now) {
    const auto stored = m_status.store(m_state, counters, contacts, now,
                                       m_publisher.traefik_writes(), m_publisher.rathole_writes());
    const auto fault = stored ? std::string() : stored.error().what;
    if (fault != m_status_fault && !fault.empty()) {
        log(LogLevel::error,
            "{}; until it can be, losos-edge and the uplink take this edge for dead", fault);
    } else if (fault != m_status_fault) {
        log(LogLevel::notice, "no longer: {}", m_status_fault);
    }
    m_status_fault = fault;
}

Result<void> Reconciler::store_registry() {
    Registry wanted = registry_of(m_state);
    m_stored_surely = false;
    TRY_ASSIGN(const auto change, registry_file::store(m_options.registry, wanted));
    if (change == Change::changed) {
        m_commit_fault.clear();
    }
    m_stored = std::move(wanted);
    m_stored_surely = true;
    return {};
}

bool Reconciler::registry_is_stored() const {
    return m_stored_surely && is_stored_as(m_state, m_stored);
}

/// Counted from the start of the pass, so that one stopped in its middle finds the next one late.
void Reconciler::plan_next(const std::vector<MonotonicTime>& contacts, const HttpCounters& counters,
                           MonotonicTime now) {
    m_next_due = now + m_options.reconcile_interval;
    for (const auto& due : {m_publisher.next_due(), m_domains.next_due()}) {
        if (due) {
            m_next_due = std::min(m_next_due, std::max(*due, now));
        }
    }
    if (m_options.mesh.windows_file) {
        const auto heard = m_contacts.idleness_of(m_state.compute_windows);
        if (const auto end = next_idle_end(heard, m_options.heartbeat_ttl, now)) {
            m_next_due = std::min(m_next_due, *end);
        }
    }
    const LivenessRules liveness{m_options.heartbeat_ttl, counters.last_shed};
    for (const MonotonicTime contact : contacts) {
        m_next_due = std::min(m_next_due, earliest_expiry(contact, now, liveness));
    }
    for (const auto& [_, rest] : m_state.resting) {
        if (rest.free_at) {
            m_next_due = std::min(m_next_due, std::max(*rest.free_at, now));
        }
    }
}

WatchList Reconciler::watches() const {
    WatchList list;
    m_source.add_watches(list);
    m_identity.add_watches(list);
    m_domains.add_watches(list);
    m_routes.add_watches(list);
    m_mesh.add_watches(list);
    for (const auto& secret :
         {m_options.rathole.bootstrap_token_file, m_options.rathole.noise_private_key_file}) {
        if (secret) {
            list.add_file(*secret);
        }
    }
    return list;
}

void Reconciler::advertise_as(const DnsName& host, const HttpCounters& counters) {
    m_options.advertise_host = host;
    m_rules = edge_rules_of(m_options);
    m_advert->host = host;
    m_status.set_lan(*m_advert);
    reconcile(counters);
}

void Reconciler::withdraw(const HttpCounters& counters) {
    const Instant now = now_on_both_clocks();
    const auto routed = m_publisher.write_last_routers(
        plan_serving(m_state, m_certificates, m_further, routes_at(now.unix)), now.monotonic);
    if (!routed) {
        log(LogLevel::error, "{}", routed.error().what);
    }
    // Nobody is heard from now on.
    if (const auto written = write_windows({}, now.monotonic); !written) {
        log(LogLevel::error, "{}", written.error().what);
    }
    m_status.set_stopped();
    store_status(m_contacts.last_of(m_state.rows), counters, now);
    const auto removed = m_advert ? m_publisher.remove_advert() : Result<void>();
    if (!removed) {
        log(LogLevel::error, "{}", removed.error().what);
    }
}

} // namespace losos
