// The edges a box has left and is still to deregister at (losos-announce(8)), each retried
// until it answers.
#pragma once

#include "base/duration.h"
#include "core/network.h"

#include <optional>
#include <vector>

namespace losos {

class LeavePlan {
public:
    /// The box is registered elsewhere now and is to leave that edge.
    void leave(const HttpUrl& edge, MonotonicTime now);
    /// The box is registered there again: nothing is left to be done.
    void stay(const HttpUrl& edge);

    /// The edges that have yet to hear of it.
    std::vector<HttpUrl> edges() const;

    /// When the next edge is to be asked; nullopt when none is left.
    std::optional<MonotonicTime> due() const;
    /// The edge that due() is about.
    std::optional<HttpUrl> next() const;

    /// Takes what `edge` answered to /deregister; nullopt stands for nothing. True when that edge
    /// is done with: it answered or refused.
    bool answered(const HttpUrl& edge, std::optional<int> status, MonotonicTime now, double jitter);

private:
    struct Leaving {
        HttpUrl edge;
        MonotonicTime due;
        int failures = 0;
    };
    std::vector<Leaving> m_leaving;
};

} // namespace losos
