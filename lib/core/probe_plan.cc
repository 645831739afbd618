#include "core/probe_plan.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

constexpr int k_doublings_max = 6;
/// A hub that restarts is not to be asked by all its boxes every second.
constexpr Duration k_internet_return_pause{5000};

/// When somebody is due, and how early he may be asked to save a wake-up.
struct Due {
    MonotonicTime at{0};
    Duration slack{0};
};

struct Job {
    Due due;
    int urgency = 0;
    PlannedProbe probe;
};

/// What the plan is made for.
struct Scene {
    const EdgeTable& table;
    const WayRecord* current;
    Duration interval;
    MonotonicTime now;

    bool is_current(const WayRecord& way) const { return &way == current; }
    bool is_in_doubt() const {
        return current != nullptr && current->health.state() == HealthState::doubtful;
    }
};

/// Whether anything depends on this way: not while a better way to the same edge does it.
bool is_needed(const Scene& scene, const EdgeRecord& edge, const WayRecord& way) {
    if (scene.is_current(way)) {
        return true;
    }
    if (edge.missing_since) {
        return false;
    }
    for (const WayRecord& other : edge.ways) {
        if (scene.is_current(other)) {
            return other.health.state() != HealthState::up;
        }
    }
    for (const WayRecord& better : edge.ways) {
        if (&better == &way) {
            break;
        }
        const auto state = better.health.state();
        const bool is_promising = state == HealthState::untried || better.health.is_usable();
        if (is_promising && !better.ban.in_force(scene.now)) {
            return false;
        }
    }
    return true;
}

Duration pause_while_down(const Scene& scene, const WayRecord& way) {
    if (!way.health.was_ever_up()) {
        const int doublings = std::clamp(way.health.failures() - 1, 0, k_doublings_max);
        return std::min(k_return_pause * (1 << doublings), k_stranger_pause_max);
    }
    if (way.way.source == PathSource::configured) {
        return k_internet_return_pause;
    }
    const bool is_recent = scene.now - way.health.since() < k_return_soon;
    return is_recent ? k_return_pause : std::max(k_return_pause, scene.interval);
}

/// From when it was last probed to when it is probed again.
Due pause_of(const Scene& scene, const WayRecord& way) {
    const auto& patience = patience_with(way.way.source);
    const bool is_open = way.in_flight > 0 && !way.health.has_answered(*way.last_sent);
    const auto after = [&](Duration pause, Duration slack = Duration{0}) {
        return Due{*way.last_sent + (is_open ? std::max(pause, patience.timeout) : pause), slack};
    };
    const bool is_lan = way.way.source == PathSource::lan;
    switch (way.health.state()) {
    case HealthState::untried:
        return after(patience.timeout);
    case HealthState::down:
        return after(pause_while_down(scene, way));
    case HealthState::returning:
        return after(way.health.run() < k_proof_probes ? k_trial_pause : k_return_pause);
    case HealthState::doubtful:
        return {*way.last_sent + patience.repeat_after, Duration{0}};
    case HealthState::up:
        break;
    }
    if (scene.is_current(way) && is_open) {
        return {*way.last_sent + patience.repeat_after, Duration{0}};
    }
    if (scene.is_current(way) && is_lan) {
        return after(scene.interval);
    }
    const bool wants_proof =
        is_lan && !scene.is_current(way) &&
        (scene.current == nullptr || scene.current->way.source == PathSource::configured) &&
        !way.health.is_proven(scene.now);
    if (wants_proof) {
        return after(k_trial_pause);
    }
    const bool is_spare = !is_lan && scene.current != nullptr && !scene.is_current(way) &&
                          scene.current->health.state() == HealthState::up;
    return after(scene.interval * (is_spare ? k_spare_intervals : k_standby_intervals),
                 scene.interval / 2);
}

Due due_of(const Scene& scene, const EdgeRecord& edge, const WayRecord& way) {
    if (ban_of(edge, way, scene.now)) {
        const bool is_edges = edge.ban.in_force(scene.now).has_value();
        return {is_edges ? edge.ban.until() : way.ban.until(), Duration{0}};
    }
    if (!way.last_sent) {
        return {scene.now, Duration{0}};
    }
    // Asked for, or the way in use is in doubt and what is known of the others is older than that.
    const bool is_fallback = scene.is_in_doubt() && !scene.is_current(way) &&
                             way.health.is_usable() &&
                             *way.last_sent < scene.current->health.last()->at;
    if (way.is_asked_for || is_fallback) {
        const auto repeat_after = patience_with(way.way.source).repeat_after;
        const bool is_open = way.in_flight > 0 && !way.health.has_answered(*way.last_sent);
        return {is_open ? *way.last_sent + repeat_after : scene.now, Duration{0}};
    }
    const auto due = pause_of(scene, way);
    if (way.is_cut_off && way.in_flight == 0) {
        return {std::min(due.at, *way.last_sent + k_cut_off_pause), Duration{0}};
    }
    return due;
}

int urgency_of(const Scene& scene, const WayRecord& way) {
    if (scene.is_current(way)) {
        return 0;
    }
    if (way.way.source == PathSource::configured) {
        return 1;
    }
    // Who never answered waits for those who did, but not a newcomer.
    return way.health.was_ever_up() || !way.last_sent ? 2 : 3;
}

/// Whether somebody else than before may answer: he was silent, or his last connection has ended.
bool is_news(const WayRecord& way) {
    return way.health.state() != HealthState::up || !way.health.last() || way.is_cut_off;
}

std::vector<Job> jobs_of(const Scene& scene) {
    std::vector<Job> jobs;
    for (const EdgeRecord& edge : scene.table.edges()) {
        for (const WayRecord& way : edge.ways) {
            if (!is_needed(scene, edge, way)) {
                continue;
            }
            const bool is_lan = edge.source == PathSource::lan;
            jobs.push_back({due_of(scene, edge, way),
                            urgency_of(scene, way),
                            {way.way, patience_with(edge.source).timeout,
                             is_lan && is_news(way) ? KeyCheck::yes : KeyCheck::no}});
        }
    }
    return jobs;
}

/// When the tunnel port of the way in use is due; nullopt when nobody's is.
std::optional<Due> tunnel_due(const Scene& scene) {
    if (scene.current == nullptr || scene.current->way.source != PathSource::lan) {
        return std::nullopt;
    }
    const auto& asked = scene.current->tunnel_asked;
    // Whether the registrar alone is away.
    if (!asked || scene.current->is_tunnel_asked_for ||
        (scene.is_in_doubt() && *asked < scene.current->health.last()->at)) {
        return Due{scene.now, Duration{0}};
    }
    return Due{*asked + k_tunnel_pause, scene.interval / 2};
}

} // namespace

ProbePlan plan_probes(const EdgeTable& table, const std::optional<EdgeWay>& current,
                      Duration interval, MonotonicTime now) {
    const Scene scene{table, current ? table.find(*current) : nullptr, interval, now};
    auto jobs = jobs_of(scene);
    const auto tunnel = tunnel_due(scene);
    const auto is_due = [now](const Due& due) {
        return due.at <= now;
    };
    const bool is_awake =
        (tunnel && is_due(*tunnel)) ||
        std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) { return is_due(job.due); });
    const auto is_taken = [&](const Due& due) {
        return is_due(due) || (is_awake && due.at - due.slack <= now);
    };
    std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
        return std::pair(a.urgency, a.due.at) < std::pair(b.urgency, b.due.at);
    });
    ProbePlan plan;
    const auto in_flight = table.probes_in_flight();
    const auto room = k_probes_max - std::min(in_flight, k_probes_max);
    const auto wake_at = [&plan](MonotonicTime at) {
        plan.next = plan.next ? std::min(*plan.next, at) : at;
    };
    for (Job& job : jobs) {
        if (!is_taken(job.due)) {
            wake_at(job.due.at);
        } else if (plan.probes.size() < room) {
            // Silence alone wakes nobody: who is in use is asked again beside his open probe.
            if (job.urgency == 0) {
                wake_at(now + patience_with(job.probe.way.source).repeat_after);
            }
            plan.probes.push_back(std::move(job.probe));
        }
    }
    if (tunnel && is_taken(*tunnel)) {
        plan.tunnel = scene.current->way;
    } else if (tunnel) {
        wake_at(tunnel->at);
    }
    return plan;
}

} // namespace losos
