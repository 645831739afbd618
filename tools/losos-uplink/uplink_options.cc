#include "uplink_options.h"

#include "edge_client.h"

#include "files/paths.h"

namespace losos {

std::string UplinkOptions::registrar_status() const {
    return registrar_status_file ? *registrar_status_file : beside(live_file, k_status);
}

void add_uplink_flags(Command& command, UplinkOptions& options) {
    command.value("--uplink-file", "FILE", "which hub, and as whom", options.uplink_file,
                  parse_path, std::string(k_uplink));
    command.value("--live-file", "FILE", "the boxes the registrar serves", options.live_file,
                  parse_path, std::string(k_live));
    command.value("--uplink-rathole-config", "FILE", "the tunnels to the hub, for rathole",
                  options.rathole_config, parse_path, std::string(k_rathole_uplink));
    command.value("--hub-routes-file", "FILE", "where the hub's routes are recorded",
                  options.hub_routes_file, parse_path, std::string(k_hub_routes));
    command.value("--hub-noise-file", "FILE", "the hub's Noise key as first seen",
                  options.hub_noise_file, parse_path, std::string(k_hub_noise_pub));
    command.optional("--registrar-status-file", "FILE",
                     "the registrar's status; not given, status.json beside the live file",
                     options.registrar_status_file, parse_path);
    command.value("--status-file", "FILE", "where the outcome of the pass is recorded",
                  options.status_file, parse_path, std::string(k_uplink_status));
    command.value("--timeout", "DURATION", "how long the hub may take for each answer",
                  options.timeout, parse_timeout, "10s");
}

} // namespace losos
