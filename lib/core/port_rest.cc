#include "core/port_rest.h"

#include <algorithm>

namespace losos {
namespace {

bool ends(const Resting& resting, MonotonicTime now) {
    return resting.free_at && *resting.free_at <= now;
}

} // namespace

bool some_rest_ends(const EdgeState& state, MonotonicTime now) {
    return std::any_of(state.resting.begin(), state.resting.end(),
                       [&](const auto& rest) { return ends(rest.second, now); });
}

void prolong_rests(EdgeState& state, const std::set<std::uint16_t>& connected, MonotonicTime now) {
    for (auto& [port, resting] : state.resting) {
        if (ends(resting, now) && connected.count(port.number()) > 0) {
            resting.free_at = now + k_rest_prolonged_by;
        }
    }
}

} // namespace losos
