// The flags of losos-announce(8).
#pragma once

#include "base/duration.h"
#include "base/options.h"
#include "core/names.h"
#include "core/network.h"

#include <optional>
#include <string>

namespace losos {

/// What the box says about its idleness: what it measures, a fixed answer, or nothing.
enum class IdleMode { measured, yes, no, off };

struct AnnounceOptions {
    std::optional<std::string> path_env;
    std::optional<HttpUrl> registrar_url;
    std::optional<DnsLabel> appliance_id;
    std::optional<DnsName> hostname;
    std::string token_file;
    Duration heartbeat_interval{};
    std::optional<std::string> relay_pass_file;
    std::string run_dir;
    IdleMode idle = IdleMode::measured;
    bool once = false;

    std::string path_env_file() const;
    std::string pass_file() const;
    std::string announced_file() const;
    std::string refused_file() const;
};

/// Binds every flag to `options`.
void add_announce_flags(Command& command, AnnounceOptions& options);

} // namespace losos
