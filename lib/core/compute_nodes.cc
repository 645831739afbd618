#include "core/compute_nodes.h"

namespace losos {
namespace {

bool is_idle(const HeardIdleness& heard, Duration ttl, MonotonicTime now) {
    return heard.idle == true && now - heard.heard <= ttl;
}

} // namespace

std::vector<ComputeNode> plan_compute_nodes(const std::map<DnsLabel, ComputeWindow>& windows,
                                            const std::map<DnsLabel, HeardIdleness>& heard,
                                            Duration ttl, MonotonicTime now) {
    std::vector<ComputeNode> nodes;
    nodes.reserve(windows.size());
    for (const auto& [name, window] : windows) {
        const auto found = heard.find(name);
        nodes.push_back({name, window, found != heard.end() && is_idle(found->second, ttl, now)});
    }
    return nodes;
}

std::optional<MonotonicTime> next_idle_end(const std::map<DnsLabel, HeardIdleness>& heard,
                                           Duration ttl, MonotonicTime now) {
    std::optional<MonotonicTime> next;
    for (const auto& [_, each] : heard) {
        // The first moment at which it is too long ago.
        const auto end = each.heard + ttl + Duration(1);
        if (is_idle(each, ttl, now) && (!next || end < *next)) {
            next = end;
        }
    }
    return next;
}

} // namespace losos
