// What a pass reads from this machine before it asks the hub anything.
#pragma once

#include "input_stamps.h"
#include "uplink_options.h"

#include "core/live_box.h"
#include "core/rathole_config.h"
#include "files/uplink_file.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// The secrets uplink.json names.
struct UplinkSecrets {
    Token token;
    /// The uplink's own token stands in where none is named.
    Token bootstrap_token;
    /// The hub's key, where the operator named a file with it.
    std::optional<NoiseKey> named_key;
};

/// Fails with Errc::unusable and names the file.
Result<UplinkSecrets> load_secrets(const UplinkConfig& uplink, InputStamps& stamps);

/// The live boxes, or why they must not be sent.
struct LiveInput {
    std::vector<LiveBox> boxes;
    std::optional<std::string> held_back;
};

/// Fails with Errc::unusable when a file cannot be read.
Result<LiveInput> load_live(const UplinkOptions& options, InputStamps& stamps);

} // namespace losos
