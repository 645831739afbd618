#include "inbox.h"

#include "io/clock.h"

#include <utility>

namespace losos {

HttpReply Inbox::decide(StateCall call, MonotonicTime deadline) {
    PendingCall pending{std::move(call), {}};
    auto reply = pending.reply.get_future();
    m_calls.with([&](auto& calls) { calls.push_back(std::move(pending)); });
    m_wake();
    const auto remaining = deadline - monotonic_now();
    if (reply.wait_for(remaining) != std::future_status::ready) {
        return text_reply(503, "the change could not be written in time; retry later");
    }
    return reply.get();
}

std::vector<PendingCall> Inbox::take_all() {
    return m_calls.with([](auto& calls) { return std::exchange(calls, {}); });
}

} // namespace losos
