// A single-threaded loop over sd-event: one-shot alarms, watched directories and descriptors, stop
// signals, and wake-ups from other threads. The watchdog of the service manager is fed by it.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct sd_event;

namespace losos {

/// The loop of one thread. All members but wake() belong to that thread.
class EventLoop {
public:
    /// Blocks SIGTERM and SIGINT for this thread and those it starts later; they end run().
    static Result<std::unique_ptr<EventLoop>> make();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;
    ~EventLoop();

    /// A timer that fires once each time it is set.
    class Alarm {
    public:
        virtual ~Alarm() = default;
        /// (Re)sets the moment; one in the past fires at once.
        virtual void set(MonotonicTime when) = 0;
        virtual void cancel() = 0;
    };
    Result<std::unique_ptr<Alarm>> make_alarm(std::function<void()> fired);

    /// A descriptor that is watched until this goes; it stays its owner's.
    class DescriptorWatch {
    public:
        virtual ~DescriptorWatch() = default;
    };
    enum class Readiness { to_read, to_write };
    /// Calls `ready` whenever the descriptor can be read or written, and when it failed.
    Result<std::unique_ptr<DescriptorWatch>> watch_descriptor(int fd, Readiness readiness,
                                                              std::function<void()> ready);

    /// Calls `changed` with the entry's name after a file in the directory was written and closed,
    /// made, moved, removed or given another mode; with an empty name when events were lost, and
    /// when the directory itself went, which ends the watch. Watching a directory again replaces
    /// its callback. Fails when the directory cannot be watched.
    Result<void> watch_directory(const std::string& path,
                                 std::function<void(std::string_view name)> changed);
    /// Ends the watch of a directory, if there is one.
    void unwatch_directory(const std::string& path);

    /// What wake() makes the loop call, once for any number of wake-ups before it.
    Result<void> on_wake(std::function<void()> woken);
    /// Thread-safe, never blocks.
    void wake();

    /// What the first stop signal calls instead of ending run(); the callee sees to stop().
    void on_stop(std::function<void()> stopping);

    /// Runs until a stop signal or stop(), once. What a callback throws comes out here.
    Result<void> run();
    void stop();

    /// What it runs on, for lib/io's own adapters of sd-bus.
    sd_event* native() const;

private:
    struct Impl;
    explicit EventLoop(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace losos
