// When a box asks its hub for its domains and its pass, and what each answer leaves of the pass it
// has (lososd-pathd(8)). Answers and times go in; moments and verdicts come out.
#pragma once

#include "base/duration.h"
#include "core/box_view.h"
#include "core/edge_answer.h"

#include <optional>

namespace losos {

inline constexpr Duration k_view_period{std::chrono::minutes(2)};
/// However often the path changes, the hub is not asked more often.
inline constexpr Duration k_view_pause{5000};
/// A pass is good for its hour and the two after, so this is its end or later, whatever the wall
/// clock says.
inline constexpr Duration k_pass_kept{std::chrono::hours(3)};

/// What asking came to.
enum class ViewReply {
    /// The view.
    shown,
    /// 401, 403, 409.
    refused,
    /// 5xx and 429: it offers none, or cannot now.
    unavailable,
    silent,
    /// The hub did not prove that it is official, and was told nothing.
    unproven,
    /// What came is no view.
    odd,
    /// The box has no token to show.
    no_token,
};

/// What an answer to the box is, view or not.
ViewReply classify_view(int status, const Result<BoxView>& view);

/// What an answer does to the box's pass.
enum class PassFate { kept, replaced, dropped };

/// Only a view changes anything.
PassFate fate_of_pass(ViewReply reply, const std::optional<RelayPass>& shown);

/// Whether a pass was left by an earlier run of the program.
enum class EarlierPass { none, left };

class ViewMachine {
public:
    ViewMachine(EarlierPass earlier, MonotonicTime now);

    /// Whether the hub is official and answers: nobody else is asked.
    void hub_is_official(bool is_official) { m_is_official = is_official; }
    /// The hub is asked soon; where it is being asked just now, once more after that.
    void path_changed();

    bool should_ask(MonotonicTime now) const;
    void asked(MonotonicTime now);
    /// `jitter` from 0 to 1: those whom a hub could not answer do not all come back together.
    void answered(ViewReply reply, PassFate fate, MonotonicTime now, double jitter);

    /// True once for a pass that was not replaced in time.
    bool take_lapse(MonotonicTime now);
    /// When there is something to do; nullopt while there is not.
    std::optional<MonotonicTime> due() const;

private:
    std::optional<MonotonicTime> ask_due() const;

    bool m_is_official = false;
    bool m_is_asking = false;
    bool m_is_path_new = false;
    MonotonicTime m_next;
    std::optional<MonotonicTime> m_last_asked;
    std::optional<MonotonicTime> m_pass_end;
};

} // namespace losos
