// `losos-edge uplink set|show|clear`.
#pragma once

#include "edge_files.h"

#include "base/result.h"
#include "core/names.h"
#include "core/network.h"

#include <optional>
#include <string>

namespace losos {

/// The flags of `uplink set`.
struct UplinkSetOptions {
    std::optional<DnsLabel> id;
    std::optional<std::string> token_file;
    std::optional<HttpUrl> registrar;
    std::optional<Endpoint> rathole;
    std::optional<std::string> bootstrap_token_file;
    std::optional<std::string> noise_public_key_file;
    bool insecure = false;
};

/// Binds the flags of `uplink set` to `options`.
void add_uplink_set_flags(Command& command, UplinkSetOptions& options);

/// Keeps copies of the tokens, then uplink.json; a different hub or id is cleared first.
Result<void> set_uplink(const EdgeFiles& files, const UplinkSetOptions& options);

/// Prints uplink.json. Fails with Errc::unusable when no uplink is set.
Result<void> show_uplink(const EdgeFiles& files);

/// Tells the hub that nothing is relayed any more, as far as it listens, and removes everything the
/// uplink has here.
Result<void> clear_uplink(const EdgeFiles& files);

} // namespace losos
