#include "io/worker_threads.h"

#include <chrono>
#include <utility>

namespace losos {

namespace {

constexpr std::chrono::seconds k_free_for{10};

} // namespace

bool WorkerThreads::run(std::function<void()> job) {
    std::unique_lock lock(m_mutex);
    reap(lock);
    if (m_free <= m_jobs.size() && !spawn()) {
        return false;
    }
    m_jobs.push_back(std::move(job));
    m_has_job.notify_one();
    return true;
}

void WorkerThreads::join() {
    std::unique_lock lock(m_mutex);
    m_joining = true;
    m_has_job.notify_all();
    m_has_left.wait(lock, [this] { return m_threads == 0; });
    reap(lock);
    m_joining = false;
}

void* WorkerThreads::enter(void* self) {
    static_cast<WorkerThreads*>(self)->work();
    return nullptr;
}

void WorkerThreads::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        const bool woken =
            m_has_job.wait_for(lock, k_free_for, [this] { return m_joining || !m_jobs.empty(); });
        if (!woken || m_jobs.empty()) {
            break;
        }
        const auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        --m_free;
        lock.unlock();
        job();
        lock.lock();
        ++m_free;
    }
    --m_free;
    --m_threads;
    m_left.push_back(pthread_self());
    m_has_left.notify_all();
}

bool WorkerThreads::spawn() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, m_stack_bytes);
    pthread_t thread{};
    const bool made = pthread_create(&thread, &attributes, enter, this) == 0;
    pthread_attr_destroy(&attributes);
    if (made) {
        ++m_threads;
        ++m_free;
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
