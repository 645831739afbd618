#include "core/traefik_pace.h"

#include <algorithm>
#include <array>

namespace losos {
namespace {

/// One core in this many goes into Traefik's reading, as measured below. A machine that is slower,
/// or busy with other things, needs up to twice as much for a change, and is then at a quarter.
constexpr int k_core_share = 8;

struct Measured {
    long long routers;
    long long cost_ms;
};

/// What Traefik v3.7.9 needed for one change on a two-core machine.
constexpr std::array<Measured, 6> k_measured{
    {{0, 50}, {10, 60}, {100, 110}, {1000, 350}, {5000, 2100}, {10000, 6200}}};

} // namespace

Duration traefik_cost(std::size_t routers) {
    constexpr std::size_t k_beyond_any_edge = 1'000'000;
    const auto count = static_cast<long long>(std::min(routers, k_beyond_any_edge));
    // The last segment also serves what lies beyond it.
    auto upper = k_measured.begin() + 1;
    while (upper + 1 != k_measured.end() && count > upper->routers) {
        ++upper;
    }
    const auto& low = *(upper - 1);
    const auto& high = *upper;
    return Duration(low.cost_ms + (count - low.routers) * (high.cost_ms - low.cost_ms) /
                                      (high.routers - low.routers));
}

MonotonicTime TraefikPace::due(TraefikChange change, std::size_t routers, MonotonicTime now) const {
    const auto allowed = change == TraefikChange::arrivals ? traefik_cost(routers) : Duration{0};
    const auto too_much = std::max(m_debt - allowed, Duration{0});
    return std::max(now, m_since + k_core_share * too_much);
}

void TraefikPace::written(std::size_t routers, MonotonicTime now) {
    m_debt = debt_at(now) + traefik_cost(routers);
    m_since = now;
}

Duration TraefikPace::debt_at(MonotonicTime now) const {
    return std::max<Duration>(m_debt - (now - m_since) / k_core_share, Duration{0});
}

} // namespace losos
