#include "registrar_status.h"

#include "base/log.h"
#include "core/fault_news.h"
#include "core/network.h"
#include "files/paths.h"

#include <algorithm>

namespace losos {

namespace {

status_file::Lan lan_of(const LanAdvert& advert) {
    return {format("http://{}:{}", advert.host.text(), advert.api_port.text()),
            format("{}:{}", advert.host.text(), advert.rathole_port.text()), advert.enrolment_open};
}

status_file::Counts count(const EdgeState& state, const PortRange& ports) {
    status_file::Counts counts;
    for (const auto& [_, entry] : state.roster) {
        ++(entry.kind == TenantKind::listed ? counts.listed : counts.enrolled);
    }
    for (const auto& [id, _] : state.rows) {
        ++(id.is_relayed() ? counts.live_relayed : counts.live_direct);
    }
    counts.bindings = static_cast<std::int64_t>(state.bindings.size());
    counts.ports_resting = static_cast<std::int64_t>(state.resting.size());
    // A port may rest outside the range: the operator made it narrower since.
    const auto kept_back =
        std::count_if(state.resting.begin(), state.resting.end(),
                      [&](const auto& entry) { return ports.contains(entry.first); });
    counts.ports_free = ports.size() - static_cast<std::int64_t>(state.rows.size()) - kept_back;
    return counts;
}

status_file::Kind kind_of(const RowId& id, const RosterEntry* voucher) {
    if (id.is_relayed()) {
        return status_file::Kind::relayed;
    }
    return voucher != nullptr && voucher->kind == TenantKind::enrolled ? status_file::Kind::enrolled
                                                                       : status_file::Kind::listed;
}

std::optional<status_file::Zone> zone_of(const ServeOptions& options) {
    const auto& domains = options.domains;
    if (!domains.zone || !domains.zone_file || options.lan_advertise) {
        return std::nullopt;
    }
    status_file::Zone zone{*domains.zone, *domains.zone_file, {}};
    for (const IpAddress& address : addresses_of(domains)) {
        zone.addresses.push_back(address.text());
    }
    return zone;
}

} // namespace

RegistrarStatus::RegistrarStatus(const ServeOptions& options, std::string boot_id,
                                 const std::optional<LanAdvert>& advert, UnixTime started)
    : m_status_file(in_directory(options.run_dir, k_status)),
      m_metrics_file(in_directory(options.run_dir, k_metrics)), m_ports(*options.port_range) {
    m_status.version = LOSOS_VERSION;
    m_status.boot_id = std::move(boot_id);
    m_status.heartbeat_ttl = options.heartbeat_ttl;
    m_status.started_at = started;
    m_status.tunnels =
        options.rathole.config ? status_file::Tunnels::rathole : status_file::Tunnels::none;
    if (options.public_domain) {
        m_status.public_domain = options.public_domain->text();
    }
    if (advert) {
        set_lan(*advert);
    }
    m_status.zone = zone_of(options);
    m_metrics.version = LOSOS_VERSION;
    m_metrics.started_at = started;
    remove_leftovers(m_status_file);
    remove_leftovers(m_metrics_file);
}

void RegistrarStatus::set_lan(const LanAdvert& advert) {
    m_status.lan = lan_of(advert);
}

void RegistrarStatus::set_faults(std::vector<std::string> faults) {
    std::set<std::string> standing(faults.begin(), faults.end());
    const auto news = compare_faults(m_faults, standing);
    for (const auto& fault : news.arrived) {
        log(LogLevel::error, "{}", fault);
    }
    for (const auto& fault : news.gone) {
        log(LogLevel::notice, "no longer: {}", fault);
    }
    m_faults = std::move(standing);
    m_status.faults = std::move(faults);
}

void RegistrarStatus::set_identity(const std::optional<IdentityCertificate>& certificate) {
    m_status.identity.reset();
    m_metrics.certified_until.reset();
    if (certificate) {
        m_status.identity = status_file::Certified{certificate->name.text(),
                                                   certificate->url.text(), certificate->not_after};
        m_metrics.certified_until = certificate->not_after;
    }
}

void RegistrarStatus::set_names(const ClaimCounts& claims, std::size_t routes) {
    m_claims = claims;
    m_routes = routes;
}

void RegistrarStatus::count_commit(bool done) {
    ++(done ? m_metrics.commits_done : m_metrics.commits_failed);
}

void RegistrarStatus::count_reconcile(std::chrono::microseconds took) {
    ++m_metrics.reconciles_done;
    m_metrics.reconcile_last = took;
    m_metrics.reconcile_time += took;
}

Result<void> RegistrarStatus::store(const EdgeState& state, const HttpCounters& counters,
                                    const std::vector<MonotonicTime>& last_contacts, Instant now,
                                    std::size_t traefik_writes, std::size_t rathole_writes) {
    m_status.reconciled = now.monotonic;
    m_status.counts = count(state, m_ports);
    m_status.counts.domains_live = static_cast<std::int64_t>(m_claims.live);
    m_status.counts.domains_waiting = static_cast<std::int64_t>(m_claims.waiting);
    m_status.counts.routes = static_cast<std::int64_t>(m_routes);
    m_status.rows.clear();
    VoucherWalk vouchers(state.roster);
    auto last_contact = last_contacts.begin();
    for (const auto& [id, row] : state.rows) {
        m_status.rows.push_back({id, kind_of(id, vouchers.voucher_of(id)), row.hostname, row.port,
                                 now.monotonic - *last_contact++});
    }
    m_metrics.reconciled_at = now.unix;
    m_metrics.tenants_listed = static_cast<std::uint64_t>(m_status.counts.listed);
    m_metrics.tenants_enrolled = static_cast<std::uint64_t>(m_status.counts.enrolled);
    m_metrics.live_direct = static_cast<std::uint64_t>(m_status.counts.live_direct);
    m_metrics.live_relayed = static_cast<std::uint64_t>(m_status.counts.live_relayed);
    m_metrics.ports_free = static_cast<std::uint64_t>(m_status.counts.ports_free);
    m_metrics.ports_resting = static_cast<std::uint64_t>(m_status.counts.ports_resting);
    m_metrics.domains_live = m_claims.live;
    m_metrics.domains_waiting = m_claims.waiting;
    m_metrics.bindings = state.bindings.size();
    m_metrics.routes = m_routes;
    m_metrics.faults = m_status.faults.size();
    m_metrics.answered = counters.answered;
    m_metrics.shed = counters.shed;
    m_metrics.traefik_writes = traefik_writes;
    m_metrics.rathole_writes = rathole_writes;
    TRY_ASSIGN([[maybe_unused]] const auto status, status_file::store(m_status_file, m_status));
    TRY_ASSIGN([[maybe_unused]] const auto metrics, metrics_file::store(m_metrics_file, m_metrics));
    return {};
}

} // namespace losos
