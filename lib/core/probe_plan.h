// Whom to probe now, and when to look again. With one LAN edge in use this comes to one probe in
// two seconds and one more in ten.
#pragma once

#include "core/edge_table.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace losos {

/// More are never under way at once, whatever the LAN advertises.
inline constexpr std::size_t k_probes_max = 32;
/// Between the probes of one who has to prove himself.
inline constexpr Duration k_trial_pause{300};
/// How often one that was up is asked whether it is back.
inline constexpr Duration k_return_pause{1000};
/// From when on that costs more than it is worth.
inline constexpr Duration k_return_soon{std::chrono::minutes(10)};
/// How often one that never answered is asked at last.
inline constexpr Duration k_stranger_pause_max{60000};
/// Who is not the LAN edge in use is probed once in this many intervals.
inline constexpr int k_standby_intervals = 5;
/// From a probe to the next one when the connection they share ends: an edge that ends it after
/// every answer costs no more than that.
inline constexpr Duration k_cut_off_pause{200};
/// The configured edge is, while a LAN edge serves, once in this many: a handshake over the
/// internet is dear, and as soon as that LAN edge is in doubt it is asked at once.
inline constexpr int k_spare_intervals = 15;
/// Between two looks at the tunnel port of the LAN edge in use.
inline constexpr Duration k_tunnel_pause{10000};

/// Whether the edge's Noise key is to be compared with its pin in the same breath: before a LAN
/// edge is used, and when one in use may have started anew, so that nobody with another key is.
enum class KeyCheck { no, yes };

struct PlannedProbe {
    EdgeWay way;
    Duration timeout{0};
    KeyCheck key = KeyCheck::no;
    friend bool operator==(const PlannedProbe&, const PlannedProbe&) = default;
};

struct ProbePlan {
    /// To be sent now, the most urgent first; each is then told to EdgeTable::probe_sent().
    std::vector<PlannedProbe> probes;
    /// Whose tunnel port is to be connected to now; then EdgeTable::tunnel_asked().
    std::optional<EdgeWay> tunnel;
    /// When to plan again if nothing happens until then; nullopt: only once something has.
    std::optional<MonotonicTime> next;
};

/// `current`: the way in use. `interval`: --probe-interval.
ProbePlan plan_probes(const EdgeTable& table, const std::optional<EdgeWay>& current,
                      Duration interval, MonotonicTime now);

} // namespace losos
