// The flags of losos-uplink(8).
#pragma once

#include "base/duration.h"
#include "base/options.h"

#include <optional>
#include <string>

namespace losos {

struct UplinkOptions {
    std::string uplink_file;
    std::string live_file;
    std::string rathole_config;
    std::string hub_routes_file;
    std::string hub_noise_file;
    std::optional<std::string> registrar_status_file;
    std::string status_file;
    Duration timeout{};

    /// Where the registrar's status.json is: beside the live file unless a flag says otherwise.
    std::string registrar_status() const;
};

/// Binds every flag to `options`.
void add_uplink_flags(Command& command, UplinkOptions& options);

} // namespace losos
