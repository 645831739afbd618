// How a box announces itself to an edge: register, then heartbeat, and what each answer leads to
// (losos-announce(8)). Answers and times go in; the next call and its moment come out.
#pragma once

#include "base/duration.h"
#include "core/network.h"

#include <optional>

namespace losos {

enum class AnnounceCall { register_box, heartbeat };

/// How an edge took a call.
enum class AnnounceReply {
    taken,
    /// A heartbeat's 404: register again.
    unregistered,
    /// 401, 403, 409.
    refused,
    /// 5xx and 429.
    busy,
    /// No answer, or one that is none of an edge's.
    silent,
    /// Any other status.
    odd,
};

AnnounceReply classify_reply(AnnounceCall call, std::optional<int> status);

/// What became of a call.
struct AnnounceStep {
    AnnounceCall call = AnnounceCall::register_box;
    AnnounceReply reply = AnnounceReply::silent;
    /// Whether it is worth a message: a registration, or another answer than the last one.
    bool news = false;
    /// The status to note for this edge in refused.json.
    std::optional<int> refusal;
};

/// One box and the edge it announces itself to.
class AnnounceMachine {
public:
    AnnounceMachine(const HttpUrl& edge, Duration heartbeat_interval, MonotonicTime now);

    /// From now on, that edge; another one than so far is registered with at once.
    void aim_at(const HttpUrl& edge, MonotonicTime now);

    const HttpUrl& edge() const { return m_edge; }
    AnnounceCall next_call() const;
    MonotonicTime due() const { return m_due; }

    /// Takes the answer to next_call(); nullopt stands for none that made sense. `jitter` is from
    /// 0 to 1.
    AnnounceStep answered(std::optional<int> status, MonotonicTime now, double jitter);

private:
    std::optional<int> find_refusal(AnnounceReply reply, std::optional<int> status,
                                    MonotonicTime now);
    void schedule(AnnounceReply reply, MonotonicTime now, double jitter);

    HttpUrl m_edge;
    Duration m_interval;
    MonotonicTime m_due;
    bool m_registered = false;
    int m_failures = 0;
    /// Since when the edge has answered nothing but 503.
    std::optional<MonotonicTime> m_busy_since;
    /// The last call's outcome, to tell what is new.
    std::optional<AnnounceReply> m_last_reply;
    std::optional<int> m_last_status;
};

} // namespace losos
