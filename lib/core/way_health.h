// Whether one way to an edge can be relied on, from the answers to its probes. One lost probe
// changes nothing; who fell has to prove himself, the longer the more often he fell.
#pragma once

#include "base/duration.h"

#include <optional>

namespace losos {

/// What became of GET /health.
enum class ProbeResult {
    /// 200 and the body `ok`.
    ok,
    /// Any other answer: a portal, a printer, an edge that cannot serve.
    wrong_answer,
    no_answer,
    /// The edge shows another Noise key than the pinned one.
    wrong_key,
};

struct ProbeRecord {
    ProbeResult result = ProbeResult::no_answer;
    MonotonicTime at{0};
    friend bool operator==(const ProbeRecord&, const ProbeRecord&) = default;
};

/// How long a silence may be.
struct ProbePatience {
    /// A probe that has no answer by then is lost.
    Duration timeout;
    /// A probe that has no answer by then is repeated beside it; also the pause after a lost one.
    Duration repeat_after;
    /// A way that was up is left when two probes in a row are lost, and that long after the first
    /// of them began.
    Duration leave_after;
};

/// A machine on the same LAN, which answers in milliseconds.
inline constexpr ProbePatience k_lan_patience{Duration(800), Duration(400), Duration(800)};
/// An edge on the internet, with a TLS handshake before the answer.
inline constexpr ProbePatience k_internet_patience{Duration(3000), Duration(1000), Duration(3000)};

/// How long probes may fail while the tunnel port takes connections: the registrar is being
/// restarted, and the tunnel goes on without it.
inline constexpr Duration k_leave_after_with_tunnel{3000};

/// A proof: this many good answers in a row, over at least this long.
inline constexpr int k_proof_probes = 5;
inline constexpr Duration k_proof_time{1200};

/// What each fall adds to a way's debt, which time pays off; what goes beyond the credit prolongs
/// the proof. So nothing falls more often than once in ten seconds for long.
inline constexpr Duration k_fall_costs{10000};
inline constexpr Duration k_fall_credit{15000};
inline constexpr Duration k_fall_debt_max{300000};

enum class HealthState {
    untried,
    up,
    /// Up, but its last probe was lost.
    doubtful,
    down,
    /// Answering again, and still to prove itself.
    returning,
};

class WayHealth {
public:
    /// Takes the outcome of the probe that was sent at `sent`. Outcomes come in any order.
    void probed(ProbeResult result, MonotonicTime sent, MonotonicTime now,
                const ProbePatience& patience);
    /// The tunnel port took a connection.
    void tunnel_taken(MonotonicTime now) { m_tunnel_taken = now; }
    /// It took none: whatever it took before, the edge stops.
    void tunnel_shut() { m_tunnel_taken.reset(); }
    /// Taken for up until a probe says otherwise: the path that an earlier run chose.
    void presume_up(MonotonicTime now);

    HealthState state() const { return m_state; }
    /// Up or doubtful.
    bool is_usable() const;
    /// Up for long enough to be preferred to an edge that answers.
    bool is_proven(MonotonicTime now) const;
    bool was_ever_up() const { return m_was_up; }

    const std::optional<ProbeRecord>& last() const { return m_last; }
    /// Whether the probe that was sent then, or a later one, was answered well.
    bool has_answered(MonotonicTime sent) const {
        return m_last_good_sent && *m_last_good_sent >= sent;
    }
    /// Good answers in a row.
    int run() const { return m_run; }
    /// Lost probes in a row.
    int failures() const { return m_failures; }
    /// Since when it has been usable, or down.
    MonotonicTime since() const { return m_since; }

private:
    void answered_well(MonotonicTime sent, MonotonicTime now);
    void lost(MonotonicTime sent, MonotonicTime now, const ProbePatience& patience);
    void enter(HealthState state, MonotonicTime now);
    void fall(MonotonicTime now);
    Duration debt_at(MonotonicTime now) const;
    Duration proof_time(MonotonicTime now) const;

    HealthState m_state = HealthState::untried;
    MonotonicTime m_since{0};
    bool m_was_up = false;
    std::optional<ProbeRecord> m_last;
    /// When the latest of the probes that were answered well was sent.
    std::optional<MonotonicTime> m_last_good_sent;
    int m_run = 0;
    MonotonicTime m_run_since{0};
    Duration m_run_proof{0};
    int m_failures = 0;
    MonotonicTime m_first_lost_sent{0};
    std::optional<MonotonicTime> m_tunnel_taken;
    Duration m_debt{0};
    MonotonicTime m_debt_at{0};
};

} // namespace losos
