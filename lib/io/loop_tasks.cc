#include "io/loop_tasks.h"

#include <utility>

namespace losos {

Result<std::unique_ptr<LoopTasks>> LoopTasks::make(EventLoop& loop) {
    auto tasks = std::unique_ptr<LoopTasks>(new LoopTasks(loop));
    TRY(loop.on_wake([it = tasks.get()] { it->run_all(); }));
    return tasks;
}

void LoopTasks::post(std::function<void()> task) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_loop.wake();
}

void LoopTasks::run_all() {
    std::vector<std::function<void()>> tasks;
    {
        const std::lock_guard lock(m_mutex);
        tasks.swap(m_tasks);
    }
    for (const auto& task : tasks) {
        task();
    }
}

} // namespace losos
