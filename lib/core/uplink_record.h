// What a spoke believes of its hub's answer, and what is new in it.
#pragma once

#include "core/live_box.h"
#include "core/relay_api.h"

#include <string>
#include <vector>

namespace losos {

/// The answer without verdicts on boxes that were not asked about, and with reasons cut to one
/// line.
RelayAnswer keep_what_was_asked(RelayAnswer answer, const std::vector<LiveBox>& sent);

/// Refusals that are new or have another reason, and ids that were refused and are accepted now: a
/// box that merely left is neither.
struct RefusalNews {
    std::vector<RefusedBox> refused;
    std::vector<std::string> no_longer;
};

RefusalNews compare_refusals(const std::vector<RefusedBox>& before, const RelayAnswer& now);

/// What the hub routes that it did not before, and what it routes no longer.
struct HubRouteNews {
    std::vector<RelayRoute> added;
    std::vector<RelayRoute> removed;
};

HubRouteNews compare_hub_routes(std::vector<RelayRoute> before, std::vector<RelayRoute> now);

} // namespace losos
