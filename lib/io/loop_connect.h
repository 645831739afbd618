// Whether a numeric address takes connections, found out on an event loop: connected and closed at
// once.
#pragma once

#include "base/duration.h"
#include "base/unique_fd.h"
#include "io/event_loop.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace losos {

/// One look, until it is destroyed.
class LoopConnect {
public:
    using Done = std::function<void(bool taken)>;

    /// `done` is called once from the loop, never from here, and may destroy the look.
    static Result<std::unique_ptr<LoopConnect>> start(EventLoop& loop, const std::string& address,
                                                      std::uint16_t port, MonotonicTime deadline,
                                                      Done done);
    LoopConnect(const LoopConnect&) = delete;
    LoopConnect& operator=(const LoopConnect&) = delete;

private:
    explicit LoopConnect(Done done) : m_done(std::move(done)) {}
    void finish(bool taken);

    Done m_done;
    UniqueFd m_socket;
    /// In this order, so that the watch goes before its descriptor.
    std::unique_ptr<EventLoop::DescriptorWatch> m_watch;
    std::unique_ptr<EventLoop::Alarm> m_deadline;
};

} // namespace losos
