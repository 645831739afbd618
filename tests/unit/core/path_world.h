// A box and the edges around it, without a network: the table, the plan of probes and the path run
// as in the program, and a function says what each probe meets.
#pragma once

#include "core/path_state.h"
#include "core/probe_plan.h"

#include "unit/files/make.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace losos::test {

inline MonotonicTime at(long long ms) {
    return MonotonicTime(ms);
}

/// A LAN edge's way: `host` at 8443, tunnels at 2333.
inline EdgeWay lan_way(const std::string& edge, const std::string& host) {
    return {PathSource::lan, make::endpoint(edge + ":8443"),
            make::url("http://" + Endpoint::of(host, make::port(8443)).text()),
            Endpoint::of(host, make::port(2333))};
}

inline LanEdge lan_edge(const std::string& edge, const std::vector<std::string>& hosts) {
    LanEdge found{make::endpoint(edge + ":8443"), edge, {}};
    for (const std::string& host : hosts) {
        found.ways.push_back(lan_way(edge, host));
    }
    return found;
}

inline EdgeWay hub_way() {
    return {PathSource::configured, make::endpoint("edge.example:443"),
            make::url("https://edge.example"), make::endpoint("edge.example:2333")};
}

/// What a probe meets.
struct Meets {
    ProbeResult result = ProbeResult::ok;
    Duration after{2};
};

inline constexpr Meets k_ok{ProbeResult::ok, Duration(2)};
inline constexpr Meets k_refused{ProbeResult::no_answer, Duration(1)};
/// The link is cut: the probe's own patience ends it.
inline constexpr Meets k_cut{ProbeResult::no_answer, Duration(3'600'000)};

class PathWorld {
public:
    struct Switch {
        MonotonicTime at{0};
        std::optional<EdgeWay> way;
    };

    std::function<Meets(const EdgeWay&, MonotonicTime)> meets = [](const auto&, auto) {
        return k_ok;
    };
    std::function<bool(const EdgeWay&, MonotonicTime)> has_tunnel = [](const auto&, auto) {
        return true;
    };
    MonotonicTime now{0};
    EdgeTable table{now};
    PathState state{now};
    std::vector<Switch> switches;
    int wake_ups = 0;
    std::size_t probes = 0;
    std::size_t most_in_flight = 0;

    void set_lan(const std::vector<LanEdge>& edges) {
        table.set_lan(edges, state.way(), now);
        table.set_search(LanSearch::done, now);
    }

    /// Everything that happens up to then.
    void run_to(long long ms) {
        for (;;) {
            const auto next = step();
            if (!next || *next > at(ms)) {
                now = at(ms);
                return;
            }
            now = *next;
            ++wake_ups;
            take_outcomes();
        }
    }
    void run_for(long long ms) { run_to(now.count() + ms); }

    /// Whose path it is: the host that is dialled, or nothing.
    std::string path() const { return state.way() ? state.way()->url.endpoint().host() : ""; }

    /// When the path became this one; the test fails when it is not.
    MonotonicTime came_to(const std::string& host) const {
        REQUIRE(path() == host);
        return state.since();
    }

private:
    struct Outcome {
        MonotonicTime at;
        MonotonicTime sent;
        EdgeWay way;
        ProbeResult result;
    };

    void choose() {
        if (state.update(table, now) == PathState::Change::changed) {
            switches.push_back({now, state.way()});
            if (state.way()) {
                table.taken(*state.way());
            }
        }
    }

    /// Chooses, sends what is due, and says when something happens next.
    std::optional<MonotonicTime> step() {
        choose();
        const auto plan = plan_probes(table, state.way(), Duration(2000), now);
        for (const PlannedProbe& probe : plan.probes) {
            const auto found = meets(probe.way, now);
            const bool is_late = found.after > probe.timeout;
            m_outcomes.push_back({now + std::min(found.after, probe.timeout), now, probe.way,
                                  is_late ? ProbeResult::no_answer : found.result});
            table.probe_sent(probe.way, now);
            ++probes;
        }
        most_in_flight = std::max(most_in_flight, table.probes_in_flight());
        if (plan.tunnel) {
            table.tunnel_asked(*plan.tunnel, now);
            table.tunnel_answered(*plan.tunnel, has_tunnel(*plan.tunnel, now), now, now);
            choose();
        }
        auto next = plan.next;
        const auto by = [&next](MonotonicTime moment) {
            next = next ? std::min(*next, moment) : moment;
        };
        for (const Outcome& outcome : m_outcomes) {
            by(outcome.at);
        }
        if (const auto due = choice_due(table, state.way(), state.beginning(), now)) {
            by(*due);
        }
        return next;
    }

    void take_outcomes() {
        std::vector<Outcome> open;
        for (const Outcome& outcome : m_outcomes) {
            if (outcome.at <= now) {
                table.probed(outcome.way, outcome.result, outcome.sent, now);
            } else {
                open.push_back(outcome);
            }
        }
        m_outcomes = std::move(open);
    }

    std::vector<Outcome> m_outcomes;
};

/// A box with a configured edge.
inline PathWorld world_with_hub() {
    PathWorld world;
    world.table.configure(hub_way(), "edge.example");
    return world;
}

} // namespace losos::test
