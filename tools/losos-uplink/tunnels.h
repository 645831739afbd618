// The tunnels to the hub: what a pass makes of uplink.toml.
#pragma once

#include "inputs.h"

#include "core/rathole_config.h"
#include "core/relay_api.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

class Tunnels {
public:
    Tunnels(std::string path, const UplinkConfig& uplink, const UplinkSecrets& secrets,
            const std::optional<NoiseKey>& hub_key);

    /// One tunnel for each box the hub accepted.
    Result<void> follow(const std::vector<LiveBox>& sent, const RelayAnswer& answer);
    /// Without an answer: what is gone here goes, ports follow, nothing is added. Where no file is,
    /// none is made.
    Result<void> trim(const std::vector<LiveBox>& live);
    /// Whether the tunnels that stand lead to this hub, by the same key or equally without one.
    Result<bool> stand() const;
    Result<void> remove();

private:
    Result<void> write(const std::vector<RatholeClientService>& services);

    std::string m_path;
    DnsLabel m_spoke;
    Token m_token;
    RatholeClientHead m_head;
};

} // namespace losos
