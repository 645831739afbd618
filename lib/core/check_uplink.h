// What the last pass of the uplink came to: a rule of `losos-edge doctor`, and the hub's verdict on
// one box, which `losos-edge boxes -l` shows.
#pragma once

#include "base/duration.h"
#include "core/doctor.h"
#include "core/relay_api.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

struct PassFacts {
    /// How long ago the last pass ended, and how long ago the hub last answered one.
    UnixTime age{0};
    std::optional<UnixTime> answer_age;
    std::vector<RefusedBox> refused;
    std::vector<std::string> left_out;
    std::optional<std::string> held_back;
    std::optional<std::string> error;
};

/// One check of the pass itself and one for each box the hub does not take. `pass` is nullopt where
/// there was none for this hub.
std::vector<Check> check_pass(const std::optional<PassFacts>& pass);

/// What the hub makes of one box.
enum class HubVerdict {
    /// No uplink is set.
    no_hub,
    accepted,
    refused,
    /// Beyond the 64 of one gateway.
    left_out,
    /// The hub's last answer says nothing of it.
    unknown,
};

struct HubOpinion {
    HubVerdict verdict = HubVerdict::unknown;
    /// The hub's own words, for `refused` alone.
    std::string reason;
    friend bool operator==(const HubOpinion&, const HubOpinion&) = default;
};

/// How a verdict is spelled.
std::string_view name_of(HubVerdict verdict);

/// The opinion on the box `id` by the hub's last answer. A box that was refused after it had been
/// accepted is refused.
HubOpinion opinion_on(const std::string& id, const std::vector<AcceptedBox>& accepted,
                      const std::vector<RefusedBox>& refused,
                      const std::vector<DnsLabel>& left_out);

} // namespace losos
