// When a silent tenant is pruned (--heartbeat-ttl of losos-registrar(8)): the clock is an argument.
#pragma once

#include "base/duration.h"

#include <optional>

namespace losos {

/// What the verdict depends on besides the tenant.
struct LivenessRules {
    Duration ttl;
    /// When the API last shed load, if it ever did.
    std::optional<MonotonicTime> last_shed;
};

/// Whether a tenant last heard at `last_contact` is to be pruned at `now`.
bool has_expired(MonotonicTime last_contact, MonotonicTime now, const LivenessRules& rules);

/// `last_contact` moved forward by the time nobody was watching, never past `now`.
MonotonicTime forgive(MonotonicTime last_contact, Duration lateness, MonotonicTime now);

/// The next moment at which has_expired can become true for that tenant.
MonotonicTime earliest_expiry(MonotonicTime last_contact, MonotonicTime now,
                              const LivenessRules& rules);

} // namespace losos
