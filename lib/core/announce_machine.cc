#include "core/announce_machine.h"

#include "core/edge_answer.h"
#include "core/retry_delay.h"

namespace losos {

namespace {

constexpr Duration k_retry_refused{60000};
constexpr Duration k_busy_is_refusal{30000};
constexpr int k_unavailable = 503;

} // namespace

AnnounceReply classify_reply(AnnounceCall call, std::optional<int> status) {
    if (!status) {
        return AnnounceReply::silent;
    }
    if (call == AnnounceCall::heartbeat && *status == 404) {
        return AnnounceReply::unregistered;
    }
    switch (classify_status(*status)) {
    case AnswerKind::good:
        return AnnounceReply::taken;
    case AnswerKind::refused:
        return AnnounceReply::refused;
    case AnswerKind::unavailable:
        return AnnounceReply::busy;
    case AnswerKind::odd:
        break;
    }
    return AnnounceReply::odd;
}

AnnounceMachine::AnnounceMachine(const HttpUrl& edge, Duration heartbeat_interval,
                                 MonotonicTime now)
    : m_edge(edge), m_interval(heartbeat_interval), m_due(now) {}

void AnnounceMachine::aim_at(const HttpUrl& edge, MonotonicTime now) {
    if (edge != m_edge) {
        *this = AnnounceMachine(edge, m_interval, now);
    }
}

AnnounceCall AnnounceMachine::next_call() const {
    return m_registered ? AnnounceCall::heartbeat : AnnounceCall::register_box;
}

AnnounceStep AnnounceMachine::answered(std::optional<int> status, MonotonicTime now,
                                       double jitter) {
    AnnounceStep step;
    step.call = next_call();
    step.reply = classify_reply(step.call, status);
    const bool registered =
        step.call == AnnounceCall::register_box && step.reply == AnnounceReply::taken;
    step.news = registered || step.reply != m_last_reply ||
                (step.reply != AnnounceReply::taken && status != m_last_status);
    step.refusal = find_refusal(step.reply, status, now);
    m_last_reply = step.reply;
    m_last_status = status;
    schedule(step.reply, now, jitter);
    return step;
}

std::optional<int> AnnounceMachine::find_refusal(AnnounceReply reply, std::optional<int> status,
                                                 MonotonicTime now) {
    if (status != k_unavailable) {
        m_busy_since.reset();
        return reply == AnnounceReply::refused ? status : std::nullopt;
    }
    if (!m_busy_since) {
        m_busy_since = now;
    }
    return now - *m_busy_since >= k_busy_is_refusal ? status : std::nullopt;
}

void AnnounceMachine::schedule(AnnounceReply reply, MonotonicTime now, double jitter) {
    const bool unanswered = reply == AnnounceReply::busy || reply == AnnounceReply::silent;
    m_failures = unanswered ? m_failures + 1 : 0;
    switch (reply) {
    case AnnounceReply::taken:
        m_registered = true;
        m_due = now + m_interval;
        return;
    case AnnounceReply::unregistered:
        m_registered = false;
        m_due = now;
        return;
    case AnnounceReply::refused:
    case AnnounceReply::odd:
        m_registered = false;
        m_due = now + k_retry_refused;
        return;
    case AnnounceReply::busy:
    case AnnounceReply::silent:
        m_due = now + retry_delay(m_failures, jitter);
        return;
    }
}

} // namespace losos
