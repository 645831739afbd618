#include "io/worker_threads.h"

#include <sys/mman.h>

#include <chrono>
#include <memory>
#include <utility>

namespace losos {

namespace {

constexpr std::chrono::seconds k_free_for{10};
// What runs over the end of a stack must meet no memory.
constexpr std::size_t k_guard_bytes = 4096;

} // namespace

/// A thread of these, on its own stack.
struct WorkerThreads::Worker {
    std::condition_variable has_job;
    std::function<void()> job;
};

struct WorkerThreads::Start {
    WorkerThreads* threads;
    std::function<void()> job;
    void* stack;
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
    mine->threads->work(std::move(mine->job), mine->stack);
    return nullptr;
}

void WorkerThreads::work(std::function<void()> job, void* stack) {
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
    reap(lock);
    --m_threads;
    m_left.push_back({pthread_self(), stack});
    m_has_left.notify_all();
}

// The library would keep the stacks of a crowd that has left, and the pages they touched.
bool WorkerThreads::spawn(std::function<void()> job) {
    const std::size_t size = k_guard_bytes + m_stack_bytes;
    void* const stack =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        return false;
    }
    auto start = std::make_unique<Start>(Start{this, std::move(job), stack});
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, static_cast<char*>(stack) + k_guard_bytes, m_stack_bytes);
    pthread_t thread{};
    const bool made = mprotect(stack, k_guard_bytes, PROT_NONE) == 0 &&
                      pthread_create(&thread, &attributes, enter, start.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (!made) {
        munmap(stack, size);
        return false;
    }
    ++m_threads;
    [[maybe_unused]] const auto* const taken = start.release();
    return true;
}

void WorkerThreads::reap(std::unique_lock<std::mutex>& lock) {
    // Until nobody is left who left meanwhile: of a crowd that leaves at once, the last one finds
    // all others, and only its own stack waits for the next job.
    for (auto left = std::exchange(m_left, {}); !left.empty(); left = std::exchange(m_left, {})) {
        // A thread that has left only has to release the lock before it can be joined.
        lock.unlock();
        for (const Left& each : left) {
            pthread_join(each.thread, nullptr);
            munmap(each.stack, k_guard_bytes + m_stack_bytes);
        }
        lock.lock();
    }
}

} // namespace losos
