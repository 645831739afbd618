#include "client_config.h"

#include "files/paths.h"

namespace losos {

void add_client_config_flags(Command& command, ClientConfigOptions& options) {
    command.required("--appliance-id", "ID", "this box's id", options.appliance_id,
                     DnsLabel::parse);
    command.value("--path-env", "FILE", "the path to the edge", options.path_env, parse_path,
                  std::string(k_edge_path_env));
    command.optional("--registrar-url", "URL", "the configured edge's API, while there is no path",
                     options.registrar_url, HttpUrl::parse);
    command.optional("--edge-rathole-endpoint", "HOST:PORT",
                     "the configured edge's tunnel server, while there is no path",
                     options.edge_rathole_endpoint, Endpoint::parse);
    command.value("--token-file", "FILE", "the secret that proves this box", options.token_file,
                  parse_path, std::string(k_proxy_token));
    command.value("--bootstrap-token-file", "FILE",
                  "the token tunnels start with; while there is no such file, the box's own",
                  options.bootstrap_token_file, parse_path, std::string(k_box_bootstrap_token));
    command.value("--noise-public-key-file", "FILE", "the configured edge's pinned Noise key",
                  options.noise_public_key_file, parse_path, std::string(k_box_noise_pub));
    command.value("--pins-dir", "DIR", "where a pin is that the path names without a directory",
                  options.pins_dir, parse_path, std::string(k_pins_dir));
    command.value("--output", "FILE", "the configuration, for rathole", options.output, parse_path,
                  std::string(k_rathole_client));
}

} // namespace losos
