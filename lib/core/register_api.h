// POST /register: both sides of its wire format.
#pragma once

#include "base/result.h"
#include "core/pass_update.h"
#include "core/port.h"

#include <string>
#include <string_view>

namespace losos {

/// What the caller claims; nothing in it is believed yet.
struct RegisterCall {
    std::string appliance_id;
    std::string token;
    std::string hostname;
    PassUpdate relay_pass;
};

/// Fails with a sentence that names the field, never its content.
Result<RegisterCall> parse_register_call(std::string_view body);
std::string render_register_call(const RegisterCall& call);

Result<Port> parse_register_answer(std::string_view body);
std::string render_register_answer(Port port);

} // namespace losos
