#include "core/way_health.h"

#include <algorithm>

namespace losos {

void WayHealth::probed(ProbeResult result, MonotonicTime sent, MonotonicTime now,
                       const ProbePatience& patience) {
    const bool is_good = result == ProbeResult::ok;
    // A later probe was answered: what this one ran into is over.
    if (!is_good && m_last_good_sent && sent < *m_last_good_sent) {
        return;
    }
    m_last = ProbeRecord{result, now};
    if (is_good) {
        answered_well(sent, now);
    } else {
        lost(sent, now, patience);
    }
}

void WayHealth::presume_up(MonotonicTime now) {
    m_was_up = true;
    enter(HealthState::up, now);
}

bool WayHealth::is_usable() const {
    switch (m_state) {
    case HealthState::up:
    case HealthState::doubtful:
        return true;
    case HealthState::untried:
    case HealthState::down:
    case HealthState::returning:
        break;
    }
    return false;
}

bool WayHealth::is_proven(MonotonicTime now) const {
    return m_state == HealthState::up && m_run >= k_proof_probes &&
           now - m_run_since >= k_proof_time;
}

void WayHealth::answered_well(MonotonicTime sent, MonotonicTime now) {
    if (m_run == 0) {
        m_run_since = sent;
        m_run_proof = proof_time(now);
    }
    ++m_run;
    m_last_good_sent = std::max(m_last_good_sent.value_or(sent), sent);
    m_failures = 0;
    switch (m_state) {
    case HealthState::untried:
        m_was_up = true;
        enter(HealthState::up, now);
        return;
    case HealthState::doubtful:
        // As if nothing had been lost: it has been usable since it came up.
        m_state = HealthState::up;
        return;
    case HealthState::up:
        return;
    case HealthState::down:
        enter(HealthState::returning, now);
        return;
    case HealthState::returning:
        if (m_run >= k_proof_probes && now - m_run_since >= m_run_proof) {
            m_was_up = true;
            enter(HealthState::up, now);
        }
        return;
    }
}

void WayHealth::lost(MonotonicTime sent, MonotonicTime now, const ProbePatience& patience) {
    if (m_failures == 0) {
        m_first_lost_sent = sent;
    }
    m_first_lost_sent = std::min(m_first_lost_sent, sent);
    ++m_failures;
    switch (m_state) {
    case HealthState::untried:
        m_run = 0;
        enter(HealthState::down, now);
        return;
    case HealthState::up:
    case HealthState::doubtful: {
        m_state = HealthState::doubtful;
        const bool has_tunnel = m_tunnel_taken && *m_tunnel_taken >= m_first_lost_sent;
        const auto leave_after = has_tunnel
                                     ? std::max(patience.leave_after, k_leave_after_with_tunnel)
                                     : patience.leave_after;
        if (m_failures >= 2 && now - m_first_lost_sent >= leave_after) {
            fall(now);
        }
        return;
    }
    case HealthState::returning:
        fall(now);
        return;
    case HealthState::down:
        m_run = 0;
        return;
    }
}

void WayHealth::enter(HealthState state, MonotonicTime now) {
    m_state = state;
    m_since = now;
}

void WayHealth::fall(MonotonicTime now) {
    m_debt = std::min(debt_at(now) + k_fall_costs, k_fall_debt_max);
    m_debt_at = now;
    m_run = 0;
    enter(HealthState::down, now);
}

Duration WayHealth::debt_at(MonotonicTime now) const {
    return std::max(Duration{0}, m_debt - std::chrono::duration_cast<Duration>(now - m_debt_at));
}

Duration WayHealth::proof_time(MonotonicTime now) const {
    return std::max(k_proof_time, debt_at(now) - k_fall_credit);
}

} // namespace losos
