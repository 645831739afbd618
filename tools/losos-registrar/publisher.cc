#include "publisher.h"

#include "files/lan_advert_file.h"
#include "files/live_file.h"
#include "files/paths.h"
#include "files/rathole_server_file.h"
#include "files/traefik_file.h"
#include "io/clock.h"
#include "io/listen_socket.h"

#include <algorithm>

namespace losos {

namespace {

/// What a file with these routers in place of those, both by id, means for the pace.
TraefikChange kind_of_change(const std::vector<Router>& before, const std::vector<Router>& after) {
    const bool only_departures = std::all_of(after.begin(), after.end(), [&](const Router& router) {
        return has_router(before, router);
    });
    return only_departures ? TraefikChange::departures_only : TraefikChange::arrivals;
}

} // namespace

Publisher::Publisher(const ServeOptions& options, std::optional<RatholeServerHead> head)
    : m_traefik_file(in_directory(options.traefik_dir, k_traefik)),
      m_rathole_file(options.rathole.config), m_live_file(in_directory(options.run_dir, k_live)),
      m_advert_file(options.avahi_service_file), m_head(std::move(head)) {
    if (const auto left = traefik_file::load(m_traefik_file); left && *left) {
        m_routed_before = parse_traefik_ports(**left);
    }
}

void Publisher::clean_up() const {
    remove_leftovers(m_traefik_file);
    remove_leftovers(m_live_file);
    remove_leftovers(m_advert_file);
    if (m_rathole_file) {
        remove_leftovers(*m_rathole_file);
    }
}

Result<void> Publisher::write_services(const ServingPlan& plan, MonotonicTime now) {
    const std::vector<Router> none;
    const auto& services =
        m_departing.still_served(plan.services, m_routed ? *m_routed : none, now);
    if (!m_rathole_file || !m_head) {
        return {};
    }
    m_services_written = false;
    TRY_ASSIGN(const auto change, rathole_server_file::store(
                                      *m_rathole_file, render_rathole_server(*m_head, services)));
    m_rathole_writes += change == Change::changed ? 1 : 0;
    m_services_written = true;
    m_held = services;
    return {};
}

bool Publisher::holds(const RatholeService& service) const {
    return !m_rathole_file || !m_head ||
           std::any_of(m_held.begin(), m_held.end(), [&](const RatholeService& held) {
               return held.id == service.id && held.port == service.port &&
                      held.token.same_as(service.token);
           });
}

Result<void> Publisher::write_routers(const ServingPlan& plan, MonotonicTime now) {
    const bool first = !m_routed;
    auto routers = routers_for_now(plan, now);
    const bool same = !first && *m_routed == routers;
    m_routers_due.reset();
    if (!first && !same) {
        const auto due = due_for(routers, now);
        if (now < due) {
            m_routers_due = due;
            auto kept = without_lost_names(*m_routed, routers);
            if (!kept) {
                return {};
            }
            TRY_ASSIGN(const auto written_at, put_routers(*std::move(kept)));
            m_routers_due = due_for(routers, written_at);
            return m_departing.any() ? write_services(plan, written_at) : Result<void>();
        }
    }
    TRY_ASSIGN(const auto written_at, put_routers(std::move(routers)));
    // Services whose router just went begin their last second.
    return same || !m_departing.any() ? Result<void>() : write_services(plan, written_at);
}

MonotonicTime Publisher::due_for(const std::vector<Router>& routers, MonotonicTime now) const {
    return m_pace.due(kind_of_change(*m_routed, routers),
                      std::max(m_routed->size(), routers.size()), now);
}

Result<MonotonicTime> Publisher::put_routers(std::vector<Router> routers) {
    TRY_ASSIGN(const auto change, traefik_file::store(m_traefik_file, render_traefik(routers)));
    // The write itself takes time on a slow disk, and what follows counts from its end.
    const auto written_at = monotonic_now();
    if (change == Change::changed) {
        m_pace.written(routers.size(), written_at);
        ++m_traefik_writes;
    }
    m_routed = std::move(routers);
    return written_at;
}

Result<void> Publisher::write_last_routers(const ServingPlan& plan, MonotonicTime now) {
    m_pace = {};
    return write_routers(plan, now);
}

std::vector<Router> Publisher::routers_for_now(const ServingPlan& plan, MonotonicTime now) {
    if (!m_rathole_file || !m_routed) {
        return plan.routers;
    }
    const auto handovers = find_handovers(*m_routed, plan.routers, plan.services);
    std::set<Port> standing;
    for (const auto& [from, to] : handovers) {
        // rathole listens on a service's port while its client is connected, and only then.
        for (const Port port : {from.port, to.port}) {
            if (is_listened_on(port.number())) {
                standing.insert(port);
            }
        }
    }
    return m_handovers.settle(plan.routers, handovers, standing, now);
}

Result<void> Publisher::write_live_boxes(const std::vector<LiveBox>& boxes) {
    TRY_ASSIGN([[maybe_unused]] const auto change, live_file::store(m_live_file, boxes));
    return {};
}

Result<void> Publisher::write_advert(const LanAdvert& advert) {
    TRY_ASSIGN([[maybe_unused]] const auto change, lan_advert_file::store(m_advert_file, advert));
    return {};
}

Result<void> Publisher::remove_advert() {
    TRY_ASSIGN([[maybe_unused]] const auto change, lan_advert_file::remove(m_advert_file));
    return {};
}

std::optional<MonotonicTime> Publisher::next_due() const {
    auto due = m_routers_due;
    for (const auto& other : {m_departing.next_departure(), m_handovers.next_look()}) {
        if (other && (!due || *other < *due)) {
            due = other;
        }
    }
    return due;
}

std::vector<Port> Publisher::routed_ports() const {
    std::vector<Port> ports;
    if (!m_routed) {
        for (const auto& [port, _] : m_routed_before) {
            ports.push_back(port);
        }
        return ports;
    }
    for (const Router& router : *m_routed) {
        ports.push_back(router.port);
    }
    return ports;
}

} // namespace losos
