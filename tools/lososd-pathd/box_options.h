// What every command of lososd-pathd that deals with edges has to know of its box.
#pragma once

#include "base/options.h"
#include "core/network.h"

#include <optional>
#include <string>

namespace losos {

struct BoxOptions {
    std::optional<HttpUrl> registrar_url;
    std::optional<Endpoint> edge_rathole_endpoint;
    std::string token_file;
    std::string bootstrap_token_file;
    std::string noise_public_key_file;
    std::string pins_dir;
};

/// Binds every flag to `options`.
void add_box_flags(Command& command, BoxOptions& options);

} // namespace losos
