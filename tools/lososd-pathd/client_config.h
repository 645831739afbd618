// `lososd-pathd client-config`: writes the box's rathole configuration for the edge its path leads
// to, pinning that edge's Noise key at the first contact.
#pragma once

#include "base/options.h"
#include "base/result.h"
#include "core/names.h"
#include "core/network.h"

#include <optional>
#include <string>

namespace losos {

struct ClientConfigOptions {
    std::string path_env;
    std::optional<HttpUrl> registrar_url;
    std::optional<Endpoint> edge_rathole_endpoint;
    std::optional<DnsLabel> appliance_id;
    std::string token_file;
    std::string bootstrap_token_file;
    std::string noise_public_key_file;
    std::string pins_dir;
    std::string output;
};

/// Binds every flag to `options`.
void add_client_config_flags(Command& command, ClientConfigOptions& options);

/// Fails with Errc::unusable without an edge or a token, with Errc::no_answer when an edge never
/// seen before says nothing, and with Errc::failed when its key has changed; then nothing is
/// written.
Result<void> write_client_config(const ClientConfigOptions& options);

} // namespace losos
