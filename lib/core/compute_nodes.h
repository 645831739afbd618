// Which members of the mesh lend their processors when, and which of them are idle
// (compute-windows.json): a member of whom nothing is known is never idle.
#pragma once

#include "base/duration.h"
#include "core/registry.h"

#include <map>
#include <optional>
#include <vector>

namespace losos {

/// What a heartbeat said of a member, and when. A heartbeat that says nothing is an unknown.
struct HeardIdleness {
    std::optional<bool> idle;
    MonotonicTime heard;
};

struct ComputeNode {
    DnsLabel name;
    ComputeWindow window;
    bool idle = false;
    friend bool operator==(const ComputeNode&, const ComputeNode&) = default;
};

/// The members with a window, by name. Idle is who said so within `ttl` before `now`, and has not
/// said otherwise since.
std::vector<ComputeNode> plan_compute_nodes(const std::map<DnsLabel, ComputeWindow>& windows,
                                            const std::map<DnsLabel, HeardIdleness>& heard,
                                            Duration ttl, MonotonicTime now);

/// When a member ceases to be idle by saying nothing; nullopt when none is.
std::optional<MonotonicTime> next_idle_end(const std::map<DnsLabel, HeardIdleness>& heard,
                                           Duration ttl, MonotonicTime now);

} // namespace losos
