// Threads that each run one job at a time. One is made when none is free, and goes after a while
// without work; how many there are is the caller's to bound. The one that was busy last is taken
// first, so that those a crowd needed go once it has left.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
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
    /// True from the start of join() to its end, for jobs that need not be waited for to the last.
    const std::atomic<bool>& are_joined() const { return m_joining; }
    /// How many there are, busy or not.
    std::size_t count() const { return m_threads; }

private:
    struct Worker;
    struct Start;
    /// A thread that has left, and the stack it ran on.
    struct Left {
        pthread_t thread;
        void* stack;
    };

    static void* enter(void* start);
    void work(std::function<void()> job, void* stack);
    bool spawn(std::function<void()> job);
    void reap(std::unique_lock<std::mutex>& lock);

    const std::size_t m_stack_bytes;
    std::mutex m_mutex;
    std::condition_variable m_has_left;
    /// Those without a job, the one that was busy last at the end.
    std::vector<Worker*> m_free;
    std::vector<Left> m_left;
    std::atomic<std::size_t> m_threads{0};
    std::atomic<bool> m_joining{false};
};

} // namespace losos
