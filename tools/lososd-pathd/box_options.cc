#include "box_options.h"

#include "files/paths.h"

namespace losos {

void add_box_flags(Command& command, BoxOptions& options) {
    command.optional("--registrar-url", "URL", "the configured edge's API", options.registrar_url,
                     HttpUrl::parse);
    command.optional("--edge-rathole-endpoint", "HOST:PORT", "the configured edge's tunnel server",
                     options.edge_rathole_endpoint, Endpoint::parse);
    command.value("--token-file", "FILE", "the secret that proves this box", options.token_file,
                  parse_path, std::string(k_proxy_token));
    command.value("--bootstrap-token-file", "FILE", "the token tunnels start with",
                  options.bootstrap_token_file, parse_path, std::string(k_box_bootstrap_token));
    command.value("--noise-public-key-file", "FILE", "the configured edge's pinned Noise key",
                  options.noise_public_key_file, parse_path, std::string(k_box_noise_pub));
    command.value("--pins-dir", "DIR", "the pinned Noise keys of edges on the LAN",
                  options.pins_dir, parse_path, std::string(k_pins_dir));
}

} // namespace losos
