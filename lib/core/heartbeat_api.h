// POST /heartbeat, and POST /deregister and /unregister: both sides of their wire formats.
#pragma once

#include "base/result.h"
#include "core/pass_update.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

struct HeartbeatCall {
    std::string appliance_id;
    std::string token;
    std::optional<bool> idle;
    PassUpdate relay_pass;
};

/// Fails with a sentence that names the field, never its content.
Result<HeartbeatCall> parse_heartbeat_call(std::string_view body);
std::string render_heartbeat_call(const HeartbeatCall& call);

struct DeregisterCall {
    std::string appliance_id;
    std::string token;
};

Result<DeregisterCall> parse_deregister_call(std::string_view body);
std::string render_deregister_call(const DeregisterCall& call);

} // namespace losos
