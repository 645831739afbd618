#include "core/liveness.h"

#include <algorithm>

namespace losos {
namespace {

/// Just past `start + ttl`; the far end of time instead of an overflow.
MonotonicTime just_past(MonotonicTime start, Duration ttl) {
    const auto room = MonotonicTime::max() - MonotonicTime{1} - std::max(start, MonotonicTime{0});
    return ttl > room ? MonotonicTime::max() : start + ttl + MonotonicTime{1};
}

} // namespace

bool has_expired(MonotonicTime last_contact, MonotonicTime now, const LivenessRules& rules) {
    const auto age = now - last_contact;
    if (age <= rules.ttl) {
        return false;
    }
    // Written so that three TTLs cannot overflow.
    if (age - rules.ttl - rules.ttl > rules.ttl) {
        return true;
    }
    return !rules.last_shed || now - *rules.last_shed > rules.ttl;
}

MonotonicTime forgive(MonotonicTime last_contact, Duration lateness, MonotonicTime now) {
    return lateness >= now - last_contact ? now : last_contact + lateness;
}

MonotonicTime earliest_expiry(MonotonicTime last_contact, MonotonicTime now,
                              const LivenessRules& rules) {
    auto moment = just_past(last_contact, rules.ttl);
    if (rules.last_shed) {
        moment = std::max(moment, just_past(*rules.last_shed, rules.ttl));
    }
    const bool three_fit = rules.ttl <= Duration::max() / 3;
    const auto latest = three_fit ? just_past(last_contact, 3 * rules.ttl) : MonotonicTime::max();
    return std::max(std::min(moment, latest), now);
}

} // namespace losos
