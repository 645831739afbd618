// What a spoke's uplink sends to its hub and which tunnels it keeps (losos-uplink(8)).
#pragma once

#include "base/duration.h"
#include "core/live_box.h"
#include "core/rathole_config.h"
#include "core/relay_api.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What the registrar's status file says about the list beside it.
struct RegistrarPulse {
    std::string boot_id;
    MonotonicTime reconciled;
    Duration heartbeat_ttl;
};

/// Whether the list of live boxes may be sent.
enum class LiveVerdict { fresh, no_list, no_status, other_boot, stale };

LiveVerdict judge_live_list(bool list_there, const std::optional<RegistrarPulse>& pulse,
                            std::string_view boot_id, MonotonicTime now);

/// The boxes that fit into one `/relay`, and those that do not.
struct RelaySelection {
    std::vector<LiveBox> sent;
    std::vector<LiveBox> left_out;
};

RelaySelection select_for_relay(const std::vector<LiveBox>& live);

/// The tunnels after the hub answered, in id order: the boxes it accepted, on the ports they have
/// here. What it accepts beyond the boxes that were sent is passed over.
std::vector<RatholeClientService> services_after_answer(const DnsLabel& spoke, const Token& token,
                                                        const std::vector<LiveBox>& sent,
                                                        const RelayAnswer& answer);

/// The tunnels when the hub did not answer or refused: boxes gone from the list go, ports follow,
/// nothing is added.
std::vector<RatholeClientService> services_without_answer(const DnsLabel& spoke, const Token& token,
                                                          const std::vector<LiveBox>& live,
                                                          const std::vector<RowId>& kept);

} // namespace losos
