#include "core/view_machine.h"

#include <algorithm>

namespace losos {

namespace {

constexpr int k_ok = 200;

Duration pause_after(ViewReply reply, double jitter) {
    switch (reply) {
    case ViewReply::shown:
    case ViewReply::refused:
    case ViewReply::odd:
    case ViewReply::no_token:
        return k_view_period;
    case ViewReply::unavailable:
    case ViewReply::silent:
    case ViewReply::unproven:
        break;
    }
    const auto half = k_view_period / 2;
    return half + std::chrono::duration_cast<Duration>(half * std::clamp(jitter, 0.0, 1.0));
}

} // namespace

ViewReply classify_view(int status, const Result<BoxView>& view) {
    switch (classify_status(status)) {
    case AnswerKind::good:
        return status == k_ok && view ? ViewReply::shown : ViewReply::odd;
    case AnswerKind::refused:
        return ViewReply::refused;
    case AnswerKind::unavailable:
        return ViewReply::unavailable;
    case AnswerKind::odd:
        break;
    }
    return ViewReply::odd;
}

PassFate fate_of_pass(ViewReply reply, const std::optional<RelayPass>& shown) {
    if (reply != ViewReply::shown) {
        return PassFate::kept;
    }
    return shown ? PassFate::replaced : PassFate::dropped;
}

ViewMachine::ViewMachine(EarlierPass earlier, MonotonicTime now) : m_next(now) {
    if (earlier == EarlierPass::left) {
        m_pass_end = now + k_pass_kept;
    }
}

void ViewMachine::path_changed() {
    m_is_path_new = true;
}

bool ViewMachine::should_ask(MonotonicTime now) const {
    const auto due = ask_due();
    return due && *due <= now;
}

void ViewMachine::asked(MonotonicTime now) {
    m_is_asking = true;
    m_is_path_new = false;
    m_last_asked = now;
}

void ViewMachine::answered(ViewReply reply, PassFate fate, MonotonicTime now, double jitter) {
    m_is_asking = false;
    m_next = now + pause_after(reply, jitter);
    switch (fate) {
    case PassFate::kept:
        return;
    case PassFate::replaced:
        m_pass_end = now + k_pass_kept;
        return;
    case PassFate::dropped:
        m_pass_end.reset();
        return;
    }
}

bool ViewMachine::take_lapse(MonotonicTime now) {
    if (!m_pass_end || now < *m_pass_end) {
        return false;
    }
    m_pass_end.reset();
    return true;
}

std::optional<MonotonicTime> ViewMachine::due() const {
    const auto ask = ask_due();
    return ask && m_pass_end ? std::min(*ask, *m_pass_end) : ask ? ask : m_pass_end;
}

std::optional<MonotonicTime> ViewMachine::ask_due() const {
    if (!m_is_official || m_is_asking) {
        return std::nullopt;
    }
    if (!m_is_path_new) {
        return m_next;
    }
    return m_last_asked ? std::min(m_next, *m_last_asked + k_view_pause) : m_next;
}

} // namespace losos
