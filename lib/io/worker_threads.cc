#include "io/worker_threads.h"

#include <chrono>
#include <memory>
#include <utility>

namespace losos {

namespace {

constexpr std::chrono::seconds k_free_for{10};

} // namespace

/// A thread of these, on its own stack.
struct WorkerThreads::Worker {
    std::condition_variable has_job;
    std::function<void()> job;
};

struct WorkerThreads::Start {
    WorkerThreads* threads;
    std::function<void()> job;
};

bool WorkerThreads::run(std::function<void()> job) {
    std::unique_lock lock(m_mutex);
    reap(lock);
    if (m_free.empty()) {
        return spawn(std::move(job));
    }
    Worker& worker = *m_free.back();
    m_free.pop_back();
    worker.job = std::move(job);
    worker.has_job.notify_one();
    return true;
}

void WorkerThreads::join() {
    std::unique_lock lock(m_mutex);
    m_joining = true;
    for (Worker* const worker : m_free) {
        worker->has_job.notify_one();
    }
    m_has_left.wait(lock, [this] { return m_threads == 0; });
    reap(lock);
    m_joining = false;
}

void* WorkerThreads::enter(void* start) {
    const std::unique_ptr<Start> mine(static_cast<Start*>(start));
    mine->threads->work(std::move(mine->job));
    return nullptr;
}

void WorkerThreads::work(std::function<void()> job) {
    Worker self;
    self.job = std::move(job);
    std::unique_lock lock(m_mutex);
    while (self.job) {
        lock.unlock();
        std::exchange(self.job, nullptr)();
        lock.lock();
        if (m_joining) {
            break;
        }
        m_free.push_back(&self);
        self.has_job.wait_for(lock, k_free_for, [&] { return m_joining || self.job; });
        if (!self.job) {
            std::erase(m_free, &self);
        }
    }
    --m_threads;
    m_left.push_back(pthread_self());
    m_has_left.notify_all();
}

bool WorkerThreads::spawn(std::function<void()> job) {
    auto start = std::make_unique<Start>(Start{this, std::move(job)});
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, m_stack_bytes);
    pthread_t thread{};
    const bool made = pthread_create(&thread, &attributes, enter, start.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (made) {
        ++m_threads;
        [[maybe_unused]] const auto* const taken = start.release();
    }
    return made;
}

void WorkerThreads::reap(std::unique_lock<std::mutex>& lock) {
    const auto left = std::exchange(m_left, {});
    // A thread that has left only has to release the lock before it can be joined.
    lock.unlock();
    for (const pthread_t thread : left) {
        pthread_join(thread, nullptr);
    }
    lock.lock();
}

} // namespace losos
