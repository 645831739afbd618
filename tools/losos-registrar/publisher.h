// Writes what others read: rathole's server.toml, Traefik's losos.yml, live.json, the LAN advert.
// Services come before routers and go after them; losos.yml is paced.
#pragma once

#include "serve_options.h"

#include "base/file.h"
#include "core/lan_advert.h"
#include "core/rathole_config.h"
#include "core/router_handovers.h"
#include "core/serving_plan.h"
#include "core/traefik_pace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// The edge's outgoing files.
class Publisher {
public:
    /// `head` is nullopt on an edge without tunnels.
    Publisher(const ServeOptions& options, std::optional<RatholeServerHead> head);

    /// Removes temporary files an interrupted run left.
    void clean_up() const;

    /// A changed head restarts every tunnel: only the operator's own change of a secret does that.
    void set_head(RatholeServerHead head) { m_head = std::move(head); }

    /// Makes server.toml hold the plan's services and those that still have a router.
    Result<void> write_services(const ServingPlan& plan, MonotonicTime now);
    /// Makes losos.yml hold the plan's routers, now or when its pace allows; a further name that is
    /// lost goes at once. A hostname that goes from one row to another does so when the new tunnel
    /// stands.
    Result<void> write_routers(const ServingPlan& plan, MonotonicTime now);
    /// The same at once, for whoever writes for the last time.
    Result<void> write_last_routers(const ServingPlan& plan, MonotonicTime now);
    /// Whether the last write_services() succeeded.
    bool services_written() const { return m_services_written; }
    /// Whether server.toml is known to hold this very service; true on an edge without tunnels.
    bool holds(const RatholeService& service) const;
    Result<void> write_live_boxes(const std::vector<LiveBox>& boxes);
    Result<void> write_advert(const LanAdvert& advert);
    Result<void> remove_advert();

    /// When writing again will do more than writing did just now.
    std::optional<MonotonicTime> next_due() const;
    /// The ports that losos.yml names; before its first write those of an earlier run.
    std::vector<Port> routed_ports() const;
    /// The ports that an earlier run's losos.yml named, and whose they were.
    const std::map<Port, RowId>& routed_before() const { return m_routed_before; }

    std::size_t traefik_writes() const { return m_traefik_writes; }
    std::size_t rathole_writes() const { return m_rathole_writes; }

private:
    /// When these routers may be written.
    MonotonicTime due_for(const std::vector<Router>& routers, MonotonicTime now) const;
    /// Writes losos.yml, and says when that was done.
    Result<MonotonicTime> put_routers(std::vector<Router> routers);
    std::vector<Router> routers_for_now(const ServingPlan& plan, MonotonicTime now);

    std::string m_traefik_file;
    std::optional<std::string> m_rathole_file;
    std::string m_live_file;
    std::string m_advert_file;

    std::optional<RatholeServerHead> m_head;
    DepartingServices m_departing;
    RouterHandovers m_handovers;
    bool m_services_written = true;
    /// What server.toml holds since the last write that succeeded.
    std::vector<RatholeService> m_held;
    /// What losos.yml holds; nullopt before its first write.
    std::optional<std::vector<Router>> m_routed;
    std::map<Port, RowId> m_routed_before;
    TraefikPace m_pace;
    std::optional<MonotonicTime> m_routers_due;
    std::size_t m_traefik_writes = 0;
    std::size_t m_rathole_writes = 0;
};

} // namespace losos
