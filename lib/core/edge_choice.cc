#include "core/edge_choice.h"

#include "base/format.h"

#include <algorithm>

namespace losos {
namespace {

/// A way and the edge it leads to.
struct Candidate {
    const EdgeRecord* edge;
    const WayRecord* way;
};

std::optional<Candidate> find(const EdgeTable& table, const EdgeWay& way) {
    for (const EdgeRecord& edge : table.edges()) {
        for (const WayRecord& each : edge.ways) {
            if (each.way == way) {
                return Candidate{&edge, &each};
            }
        }
    }
    return std::nullopt;
}

bool is_missing_too_long(const EdgeRecord& edge, MonotonicTime now) {
    return edge.missing_since && now - *edge.missing_since >= k_advert_grace;
}

LeaveReason meaning_of(NoUse reason) {
    switch (reason) {
    case NoUse::wrong_key:
        return LeaveReason::wrong_key;
    case NoUse::refused:
        return LeaveReason::refused;
    case NoUse::busy:
        return LeaveReason::busy;
    case NoUse::no_tunnel:
        break;
    }
    return LeaveReason::no_tunnel;
}

/// Why the way in use can be used no longer; nullopt while it can.
std::optional<LeaveReason> fault_of(const std::optional<Candidate>& current, MonotonicTime now) {
    if (!current) {
        return LeaveReason::unknown;
    }
    const auto& [edge, way] = *current;
    if (const auto reason = ban_of(*edge, *way, now)) {
        return meaning_of(*reason);
    }
    if (!way->health.is_usable()) {
        const auto& last = way->health.last();
        return last && last->result == ProbeResult::wrong_answer ? LeaveReason::wrong_answer
                                                                 : LeaveReason::silent;
    }
    if (is_missing_too_long(*edge, now)) {
        return LeaveReason::advert_gone;
    }
    return std::nullopt;
}

/// Whether somebody who is not in use could be.
bool is_eligible(const EdgeRecord& edge, const WayRecord& way, MonotonicTime now) {
    return way.health.is_usable() && !edge.missing_since && !ban_of(edge, way, now);
}

enum class Need { usable, proven };

const WayRecord* best_way(const EdgeRecord& edge, Need need, MonotonicTime now) {
    const auto found = std::find_if(edge.ways.begin(), edge.ways.end(), [&](const auto& way) {
        return is_eligible(edge, way, now) && (need == Need::usable || way.health.is_proven(now));
    });
    return found == edge.ways.end() ? nullptr : &*found;
}

/// The edge that has been up for longest; among equals the one whose name comes first, whatever
/// the order of the adverts.
std::optional<Candidate> best_lan_edge(const EdgeTable& table, Need need, MonotonicTime now) {
    std::optional<Candidate> best;
    for (const EdgeRecord& edge : table.edges()) {
        const WayRecord* const way =
            edge.source == PathSource::lan ? best_way(edge, need, now) : nullptr;
        if (way == nullptr) {
            continue;
        }
        const auto since = way->health.since();
        const bool is_better =
            !best || since < best->way->health.since() ||
            (since == best->way->health.since() && edge.edge.text() < best->edge->edge.text());
        if (is_better) {
            best = Candidate{&edge, way};
        }
    }
    return best;
}

std::optional<Candidate> configured_edge(const EdgeTable& table, MonotonicTime now) {
    for (const EdgeRecord& edge : table.edges()) {
        if (edge.source == PathSource::configured) {
            if (const WayRecord* const way = best_way(edge, Need::usable, now)) {
                return Candidate{&edge, way};
            }
        }
    }
    return std::nullopt;
}

/// Whether a LAN edge may still turn up that should come before the configured one.
bool awaits_lan(const EdgeTable& table, Beginning beginning, MonotonicTime now) {
    if (beginning == Beginning::later || now - table.started() >= k_first_search) {
        return false;
    }
    if (!table.was_searched()) {
        return true;
    }
    for (const EdgeRecord& edge : table.edges()) {
        const auto is_untried = [&](const WayRecord& way) {
            return way.health.state() == HealthState::untried && !ban_of(edge, way, now);
        };
        const bool is_open = edge.source == PathSource::lan && !edge.missing_since &&
                             std::any_of(edge.ways.begin(), edge.ways.end(), is_untried);
        if (is_open) {
            return true;
        }
    }
    return false;
}

/// Whether the configured edge has yet to answer for the first time: until it has, the units dial
/// it, and are not stopped for a moment.
bool awaits_configured(const EdgeTable& table, Beginning beginning) {
    return beginning == Beginning::first_choice &&
           std::any_of(table.edges().begin(), table.edges().end(), [](const EdgeRecord& edge) {
               return edge.source == PathSource::configured &&
                      edge.ways.front().health.state() == HealthState::untried;
           });
}

ChoiceReason reason_to_keep(const EdgeTable& table, const Candidate& current) {
    if (current.way->health.state() == HealthState::doubtful) {
        return ChoiceReason::kept_in_doubt;
    }
    if (current.edge->source == PathSource::lan && table.search() == LanSearch::unavailable) {
        return ChoiceReason::kept_without_avahi;
    }
    return current.edge->missing_since ? ChoiceReason::kept_without_advert : ChoiceReason::kept;
}

EdgeChoice choose_anew(const EdgeTable& table, const std::optional<EdgeWay>& current,
                       Beginning beginning, MonotonicTime now) {
    const auto in_use = current ? find(table, *current) : std::nullopt;
    if (in_use && in_use->edge->source == PathSource::lan) {
        if (const WayRecord* const other = best_way(*in_use->edge, Need::usable, now)) {
            return {other->way, ChoiceReason::other_way, std::nullopt};
        }
    }
    if (const auto lan = best_lan_edge(table, Need::usable, now)) {
        return {lan->way->way, ChoiceReason::first_lan_edge, std::nullopt};
    }
    if (awaits_lan(table, beginning, now)) {
        return {std::nullopt, ChoiceReason::searching, std::nullopt};
    }
    if (const auto configured = configured_edge(table, now)) {
        return {configured->way->way, ChoiceReason::no_lan_edge, std::nullopt};
    }
    if (awaits_configured(table, beginning)) {
        return {std::nullopt, ChoiceReason::searching, std::nullopt};
    }
    return {std::nullopt, ChoiceReason::none_answers, std::nullopt};
}

} // namespace

std::string_view describe(ChoiceReason reason) {
    switch (reason) {
    case ChoiceReason::searching:
        return "edges are still being looked for";
    case ChoiceReason::first_lan_edge:
        return "it is the first edge on the LAN that answers";
    case ChoiceReason::better_lan_edge:
        return "it is an edge on the LAN and has answered steadily";
    case ChoiceReason::other_way:
        return "it is the same edge by another of its addresses";
    case ChoiceReason::no_lan_edge:
        return "it answers, and no edge on the LAN can be used";
    case ChoiceReason::kept:
        return "it answers";
    case ChoiceReason::kept_in_doubt:
        return "its last probe was lost, and it is being asked again";
    case ChoiceReason::kept_without_advert:
        return "it answers, though its advert has vanished a moment ago";
    case ChoiceReason::kept_without_avahi:
        return "it answers; Avahi is not there to say what the LAN has";
    case ChoiceReason::none_answers:
        return "no edge answers";
    }
    return {};
}

std::string_view describe(LeaveReason reason) {
    switch (reason) {
    case LeaveReason::silent:
        return "it no longer answers";
    case LeaveReason::wrong_answer:
        return "it no longer answers as an edge does";
    case LeaveReason::advert_gone:
        return "its advert has been missing for 10 s";
    case LeaveReason::wrong_key:
        return describe(NoUse::wrong_key);
    case LeaveReason::refused:
        return describe(NoUse::refused);
    case LeaveReason::busy:
        return describe(NoUse::busy);
    case LeaveReason::no_tunnel:
        return describe(NoUse::no_tunnel);
    case LeaveReason::outdone:
        return "an edge on the LAN comes before it";
    case LeaveReason::unknown:
        return "it is neither configured nor advertised";
    }
    return {};
}

EdgeChoice choose_edge(const EdgeTable& table, const std::optional<EdgeWay>& current,
                       Beginning beginning, MonotonicTime now) {
    const auto in_use = current ? find(table, *current) : std::nullopt;
    const auto fault = current ? fault_of(in_use, now) : std::nullopt;
    if (current && !fault) {
        const bool is_configured = in_use->edge->source == PathSource::configured;
        if (const auto lan =
                is_configured ? best_lan_edge(table, Need::proven, now) : std::nullopt) {
            return {lan->way->way, ChoiceReason::better_lan_edge, LeaveReason::outdone};
        }
        return {current, reason_to_keep(table, *in_use), std::nullopt};
    }
    auto choice = choose_anew(table, current, beginning, now);
    if (choice.reason != ChoiceReason::searching) {
        choice.left = fault;
    }
    return choice;
}

std::string explain(const EdgeChoice& choice) {
    if (!choice.left) {
        return std::string(describe(choice.reason));
    }
    return format("{}; the one before was left: {}", describe(choice.reason),
                  describe(*choice.left));
}

std::optional<MonotonicTime> choice_due(const EdgeTable& table,
                                        const std::optional<EdgeWay>& current, Beginning beginning,
                                        MonotonicTime now) {
    std::optional<MonotonicTime> due;
    const auto by = [&due, now](MonotonicTime moment) {
        if (moment > now && (!due || moment < *due)) {
            due = moment;
        }
    };
    if (beginning == Beginning::first_choice) {
        by(table.started() + k_first_search);
    }
    if (const auto in_use = current ? find(table, *current) : std::nullopt) {
        if (in_use->edge->missing_since) {
            by(*in_use->edge->missing_since + k_advert_grace);
        }
    }
    return due;
}

} // namespace losos
