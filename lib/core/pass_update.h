// What a call says about a box's relay pass: nothing, take it, or drop what you have. A pass of
// another shape or type drops it.
#pragma once

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "core/relay_pass.h"

#include <optional>

namespace losos {

/// The `relay_pass` field of /register and /heartbeat.
struct PassUpdate {
    enum class What { leave, clear, set };

    What what = What::leave;
    std::optional<RelayPass> pass;

    friend bool operator==(const PassUpdate&, const PassUpdate&) = default;
};

/// Absent leaves, the right shape sets, anything else clears, null included. Never fails.
PassUpdate read_pass_update(const Json& body);

/// Adds the field to an open object so that read_pass_update reads the same back.
void write_pass_update(JsonWriter& json, const PassUpdate& update);

} // namespace losos
