// Every default path of losos-federation(7), and the only place a path is spelled. Each has a flag;
// a flag that names a directory moves the files in it, which keep their names.
#pragma once

#include <string>
#include <string_view>

namespace losos {

/// Where every tool's <tool>.toml lives.
inline constexpr std::string_view k_config_dir = "/etc/losos";

// What the registrar keeps.
inline constexpr std::string_view k_registrar_state_dir = "/var/lib/losos-registrar";
inline constexpr std::string_view k_registrar_lock = "/var/lib/losos-registrar/.lock";
inline constexpr std::string_view k_registry = "/var/lib/losos-registrar/registry.json";
inline constexpr std::string_view k_domains = "/var/lib/losos-registrar/domains.json";
inline constexpr std::string_view k_enrol_dir = "/var/lib/losos-registrar/enrolled";
inline constexpr std::string_view k_enrolled_tenants =
    "/var/lib/losos-registrar/enrolled/tenants.json";
inline constexpr std::string_view k_enrolled_lock = "/var/lib/losos-registrar/enrolled/.lock";

// What the registrar tells others on the same machine.
inline constexpr std::string_view k_registrar_run_dir = "/run/losos-registrar";
inline constexpr std::string_view k_live = "/run/losos-registrar/live.json";
inline constexpr std::string_view k_status = "/run/losos-registrar/status.json";
inline constexpr std::string_view k_metrics = "/run/losos-registrar/metrics.prom";

// What its units make for it, where its flags are the packaged ones.
inline constexpr std::string_view k_edge_bootstrap_token =
    "/var/lib/losos-registrar/bootstrap.token";
inline constexpr std::string_view k_edge_noise_key = "/var/lib/losos-registrar/noise.key";

// What it renders for programs that are not ours.
inline constexpr std::string_view k_rathole_server = "/etc/rathole/server.toml";
inline constexpr std::string_view k_traefik_dir = "/etc/traefik/dynamic";
inline constexpr std::string_view k_traefik = "/etc/traefik/dynamic/losos.yml";
inline constexpr std::string_view k_lan_advert = "/etc/avahi/services/losos-edge.service";

// A spoke's uplink.
inline constexpr std::string_view k_edge_dir = "/var/lib/losos-edge";
inline constexpr std::string_view k_uplink = "/var/lib/losos-edge/uplink.json";
inline constexpr std::string_view k_uplink_lock = "/var/lib/losos-edge/.uplink.lock";
inline constexpr std::string_view k_uplink_token = "/var/lib/losos-edge/uplink.token";
inline constexpr std::string_view k_uplink_bootstrap_token =
    "/var/lib/losos-edge/uplink-bootstrap.token";
inline constexpr std::string_view k_hub_noise_pub = "/var/lib/losos-edge/hub-noise.pub";
inline constexpr std::string_view k_rathole_uplink = "/etc/rathole/uplink.toml";
inline constexpr std::string_view k_hub_routes = "/var/lib/losos-registrar/hub-routes.json";
inline constexpr std::string_view k_uplink_status = "/run/losos-registrar/uplink-status.json";

// A box.
inline constexpr std::string_view k_secrets_dir = "/var/secrets";
inline constexpr std::string_view k_box_run_dir = "/run/losos";
inline constexpr std::string_view k_edge_path_env = "/run/losos/edge-path.env";
inline constexpr std::string_view k_edge_none = "/run/losos/edge-none";
inline constexpr std::string_view k_edge_json = "/run/losos/edge.json";
inline constexpr std::string_view k_relay_pass = "/run/losos/relay-pass";
inline constexpr std::string_view k_announced = "/run/losos/announced.json";
inline constexpr std::string_view k_refused = "/run/losos/refused.json";
inline constexpr std::string_view k_public_names = "/var/lib/losos-public-names/domains.json";
inline constexpr std::string_view k_rathole_client = "/run/losos-rathole/client.toml";
inline constexpr std::string_view k_proxy_token = "/var/secrets/losos-proxy-token";
inline constexpr std::string_view k_box_bootstrap_token = "/var/secrets/losos-rathole-bootstrap";
inline constexpr std::string_view k_box_noise_pub = "/var/secrets/losos-rathole-noise-pub";
inline constexpr std::string_view k_pins_dir = "/var/secrets/losos-edge-pins";

/// Where the file of `default_path` is when its directory is `directory`.
std::string in_directory(std::string_view directory, std::string_view default_path);

/// Where the file of `default_path` is when it stands in the directory of the file `neighbour`.
std::string beside(std::string_view neighbour, std::string_view default_path);

} // namespace losos
