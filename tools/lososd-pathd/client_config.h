// `lososd-pathd client-config`: writes the box's rathole configuration for the edge its path leads
// to, pinning that edge's Noise key at the first contact.
#pragma once

#include "box_options.h"

#include "base/options.h"
#include "base/result.h"
#include "core/names.h"

#include <optional>
#include <string>

namespace losos {

struct ClientConfigOptions {
    std::string path_env;
    std::optional<DnsLabel> appliance_id;
    BoxOptions box;
    std::string output;
};

/// Binds every flag to `options`.
void add_client_config_flags(Command& command, ClientConfigOptions& options);

/// Fails with Errc::unusable without an edge or a token, with Errc::no_answer when an edge never
/// seen before says nothing, and with Errc::failed when its key has changed; then nothing is
/// written.
Result<void> write_client_config(const ClientConfigOptions& options);

} // namespace losos
