// Which edge a box takes as its path: the first LAN edge that answers, else the configured one,
// else none; and why. A pure function of what is known, of the way in use, and of the time.
#pragma once

#include "core/edge_table.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// How long the configured edge waits at the start for the LAN to be searched.
inline constexpr Duration k_first_search{2000};

/// Why the path is what it is.
enum class ChoiceReason {
    /// Nothing is chosen yet: the LAN is being searched, or the configured edge asked, for the
    /// first time.
    searching,
    /// A LAN edge where there was no path that could be used.
    first_lan_edge,
    /// A LAN edge that has proven itself, in place of the configured edge.
    better_lan_edge,
    /// The same edge by another way to it.
    other_way,
    /// The configured edge, for no LAN edge can be used.
    no_lan_edge,
    /// It answers.
    kept,
    /// Its last probe was lost, and it is asked again.
    kept_in_doubt,
    /// Its advert is gone; it answers, and has ten seconds.
    kept_without_advert,
    /// It answers, and Avahi is not there to say whether it is still advertised.
    kept_without_avahi,
    /// Nobody answers.
    none_answers,
};

/// What became of the way in use when it is no longer chosen.
enum class LeaveReason {
    silent,
    wrong_answer,
    advert_gone,
    wrong_key,
    refused,
    busy,
    no_tunnel,
    /// It works, but a LAN edge is better.
    outdone,
    /// The table does not know it.
    unknown,
};

std::string_view describe(ChoiceReason reason);
std::string_view describe(LeaveReason reason);

struct EdgeChoice {
    /// nullopt for no path; with `searching` what there was stays as it is.
    std::optional<EdgeWay> way;
    ChoiceReason reason = ChoiceReason::searching;
    /// Why the way in use so far was left, if it was.
    std::optional<LeaveReason> left;
    friend bool operator==(const EdgeChoice&, const EdgeChoice&) = default;
};

/// Whether an earlier choice was other than `searching`, or a path was inherited.
enum class Beginning { first_choice, later };

/// `current`: the way in use, nullopt when there is none or nothing was chosen so far.
EdgeChoice choose_edge(const EdgeTable& table, const std::optional<EdgeWay>& current,
                       Beginning beginning, MonotonicTime now);

/// The sentence for edge.json and the log.
std::string explain(const EdgeChoice& choice);

/// When the choice may change though nothing happens; nullopt when it does not.
std::optional<MonotonicTime> choice_due(const EdgeTable& table,
                                        const std::optional<EdgeWay>& current, Beginning beginning,
                                        MonotonicTime now);

} // namespace losos
