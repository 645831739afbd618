#include "check.h"

#include "counted.h"
#include "directories.h"
#include "domains.h"
#include "identity_source.h"
#include "mesh_door.h"
#include "route_table.h"
#include "serve.h"
#include "tunnel_head.h"

#include "base/log.h"
#include "files/compute_windows_file.h"
#include "files/paths.h"
#include "files/relay_routes_file.h"
#include "io/clock.h"

#include <iostream>

namespace losos {

Result<void> check(const ServeOptions& options) {
    TRY_ASSIGN(auto start, read_start(options));
    TRY_ASSIGN([[maybe_unused]] const auto noise_public_key, read_noise_public_key(options));
    const auto rules = edge_rules_of(start.options);
    const Instant now{monotonic_now(), unix_now()};
    auto state = restore_state(std::move(start.registry), start.roster.roster(), rules, now);
    follow_roster_hostnames(state);
    for (const RowId& orphan : find_orphans(state, rules)) {
        remove_row(state, orphan, rules, now);
    }
    IdentitySource identity(start.options);
    const auto who = identity.read(now.unix);
    const auto official = who && who->certificate && !has_expired(*who->certificate, now.unix)
                              ? Official::yes
                              : Official::no;
    Domains domains(
        start.options, std::move(start.claims), [] {}, now);
    domains.refresh();
    TRY_ASSIGN(const auto zone, domains.preview(state, official, now));
    MeshDoor mesh(start.options.mesh, !start.options.lan_advertise, [] {});
    mesh.refresh();
    drop_windows(state);
    for (const auto& list :
         {missing_directories(options), start.warnings, start.roster.faults(), identity.faults(),
          domains.faults(), mesh.faults(), find_key_faults(options)}) {
        for (const auto& sentence : list) {
            log(LogLevel::warning, "{}", sentence);
        }
    }
    state.bindings = std::move(start.bindings);
    release_orphans(state.bindings, state.roster);
    const auto further = domains.further_hosts(state, official, now.monotonic);
    const auto routes = plan_routes(state, further, now.unix);
    const auto plan = plan_serving(state, certificate_rules_of(options), further, routes);
    const auto services = plan.services.size();
    const auto routers = plan.routers.size();
    std::cout << format("# {} known, {}, {}\n", counted(state.roster.size(), "tenant"),
                        counted(routers, "router"), counted(services, "service"));
    std::cout << format("\n# {}\n", in_directory(options.traefik_dir, k_traefik))
              << render_traefik(plan.routers).value_or("# absent: no tenant is live\n");
    if (start.head) {
        std::cout << format("\n# {}\n", *options.rathole.config)
                  << render_rathole_server(*start.head, plan.services, Secrets::masked);
    }
    if (zone) {
        std::cout << format("\n# {}\n", *options.domains.zone_file) << *zone;
    }
    if (has_route_table(options)) {
        std::cout << format("\n# {}\n", *options.relay_routes_file)
                  << relay_routes_file::render(state.bindings, routes);
    }
    if (const auto& file = options.mesh.windows_file) {
        std::cout << format("\n# {}\n", *file)
                  << compute_windows_file::render(plan_compute_nodes(
                         state.compute_windows, {}, options.heartbeat_ttl, now.monotonic));
    }
    return {};
}

} // namespace losos
