// When losos.yml may be written next. Traefik reads the whole file at each change and pays with its
// size; an eighth of one core goes into that, a quarter where every change costs more. Arrivals may
// borrow one change ahead, so that a new box never waits for the bill of a departure.
#pragma once

#include "base/duration.h"

#include <cstddef>

namespace losos {

/// What one change of a file with that many routers costs Traefik, in CPU time.
Duration traefik_cost(std::size_t routers);

/// What waits to be written.
enum class TraefikChange { arrivals, departures_only };

/// What Traefik still owes for the changes written so far.
class TraefikPace {
public:
    /// The earliest moment at which the change may be written; not later than `now` when at once.
    MonotonicTime due(TraefikChange change, std::size_t routers, MonotonicTime now) const;
    /// Notes that a file with that many routers was written.
    void written(std::size_t routers, MonotonicTime now);

private:
    Duration debt_at(MonotonicTime now) const;

    Duration m_debt{0};
    MonotonicTime m_since{0};
};

} // namespace losos
