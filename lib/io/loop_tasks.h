// What other threads want done on the thread of an event loop.
#pragma once

#include "io/event_loop.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace losos {

class LoopTasks {
public:
    /// Takes the loop's wake-ups for itself. Whoever posts must have ended before this goes.
    static Result<std::unique_ptr<LoopTasks>> make(EventLoop& loop);
    LoopTasks(const LoopTasks&) = delete;
    LoopTasks& operator=(const LoopTasks&) = delete;

    /// Thread-safe, never blocks.
    void post(std::function<void()> task);

private:
    explicit LoopTasks(EventLoop& loop) : m_loop(loop) {}
    void run_all();

    EventLoop& m_loop;
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_tasks;
};

} // namespace losos
