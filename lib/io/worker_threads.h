// Threads that each run one job at a time. One is made when none is free, and goes after a while
// without work; how many there are is the caller's to bound.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace losos {

/// All members are thread-safe, but join() may be called by one thread only.
class WorkerThreads {
public:
    explicit WorkerThreads(std::size_t stack_bytes) : m_stack_bytes(stack_bytes) {}
    WorkerThreads(const WorkerThreads&) = delete;
    WorkerThreads& operator=(const WorkerThreads&) = delete;
    ~WorkerThreads() { join(); }

    /// Runs the job on a thread at once; false when none could be had. The job must not throw.
    bool run(std::function<void()> job);
    /// Waits for every job and ends the threads.
    void join();

private:
    static void* enter(void* self);
    void work();
    bool spawn();
    void reap(std::unique_lock<std::mutex>& lock);

    const std::size_t m_stack_bytes;
    std::mutex m_mutex;
    std::condition_variable m_has_job;
    std::condition_variable m_has_left;
    std::deque<std::function<void()>> m_jobs;
    std::vector<pthread_t> m_left;
    std::size_t m_threads = 0;
    std::size_t m_free = 0;
    bool m_joining = false;
};

} // namespace losos
