// The flags of `lososd-pathd serve`.
#pragma once

#include "box_options.h"

#include "base/duration.h"
#include "core/names.h"
#include "core/path_state.h"

#include <optional>
#include <string>

namespace losos {

struct ServeOptions {
    BoxOptions box;
    std::optional<SocketAddress> listen;
    std::optional<DnsLabel> appliance_id;
    std::string run_dir;
    std::optional<std::string> root_key_file;
    Duration probe_interval{};
    std::string public_names_file;
    /// The API and edge.json only: the box's owner runs no tunnel.
    bool no_drive = false;

    std::string path_env_file() const;
    std::string edge_none_file() const;
    std::string edge_json_file() const;
    std::string refused_file() const;
    std::string relay_pass_file() const;
    PinPlaces pins() const { return {box.pins_dir, box.noise_public_key_file}; }
    /// The way to the edge of --registrar-url, if there is one.
    std::optional<EdgeWay> configured_way() const;
};

/// Binds every flag to `options`.
void add_serve_flags(Command& command, ServeOptions& options);

/// What no single flag says: fails with Errc::usage.
Result<void> check_serve_options(const ServeOptions& options);

} // namespace losos
