#include "io/event_loop.h"

#include "base/format.h"
#include "base/unique_fd.h"

#include <systemd/sd-event.h>

#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace losos {

namespace {

constexpr std::uint32_t k_directory_events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
                                             IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF |
                                             IN_MOVE_SELF | IN_ONLYDIR;
constexpr std::uint32_t k_directory_gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;
constexpr std::uint64_t k_alarm_accuracy_us = 1000;

struct EventUnref {
    void operator()(sd_event* event) const { sd_event_unref(event); }
};
struct SourceUnref {
    void operator()(sd_event_source* source) const { sd_event_source_disable_unref(source); }
};
using EventPtr = std::unique_ptr<sd_event, EventUnref>;
using SourcePtr = std::unique_ptr<sd_event_source, SourceUnref>;

std::string cause(int negative_errno) {
    return std::generic_category().message(-negative_errno);
}

Result<void> check(int status, std::string_view what) {
    if (status < 0) {
        return fail(Errc::failed, "the event loop cannot {}: {}", what, cause(status));
    }
    return {};
}

} // namespace

struct EventLoop::Impl {
    struct Watch {
        Impl* owner = nullptr;
        std::string path;
        std::function<void(std::string_view)> changed;
        SourcePtr source;
    };

    EventPtr event;
    UniqueFd wake_fd;
    SourcePtr wake_source;
    std::function<void()> woken;
    std::function<void()> stopping;
    std::map<std::string, std::shared_ptr<Watch>> watches;
    std::vector<std::shared_ptr<Watch>> departed;
    SourcePtr departed_source;
    std::exception_ptr thrown;

    // An exception must not unwind through the frames of libsystemd: it ends the loop instead.
    template <class Call>
    void guard(Call&& call) {
        try {
            call();
        } catch (...) {
            thrown = std::current_exception();
            sd_event_exit(event.get(), 0);
        }
    }

    static int on_wake_fd(sd_event_source*, int fd, std::uint32_t, void* userdata) {
        auto& self = *static_cast<Impl*>(userdata);
        std::uint64_t count = 0;
        if (read(fd, &count, sizeof count) > 0 && self.woken) {
            self.guard(self.woken);
        }
        return 0;
    }

    static int on_stop_signal(sd_event_source*, const signalfd_siginfo*, void* userdata) {
        auto& self = *static_cast<Impl*>(userdata);
        if (const auto stopping = std::exchange(self.stopping, nullptr)) {
            self.guard(stopping);
        } else {
            sd_event_exit(self.event.get(), 0);
        }
        return 0;
    }

    static int on_directory(sd_event_source*, const inotify_event* event, void* userdata) {
        auto& watch = *static_cast<Watch*>(userdata);
        Impl& self = *watch.owner;
        const auto found = self.watches.find(watch.path);
        if (found == self.watches.end() || found->second.get() != &watch) {
            return 0;
        }
        // The callback may end this very watch.
        const std::shared_ptr<Watch> kept = found->second;
        if ((event->mask & k_directory_gone) != 0) {
            self.watches.erase(found);
            self.departed.push_back(kept);
            sd_event_source_set_enabled(self.departed_source.get(), SD_EVENT_ONESHOT);
            return 0;
        }
        const std::string_view name = event->len > 0 ? event->name : "";
        self.guard([&] { kept->changed(name); });
        return 0;
    }

    // Told only once the old watch is given up. Until then libsystemd takes a new directory that
    // got the old one's inode number for the one it knows, and watches nothing.
    static int on_departed(sd_event_source*, void* userdata) {
        auto& self = *static_cast<Impl*>(userdata);
        const auto gone = std::exchange(self.departed, {});
        for (const auto& watch : gone) {
            watch->source.reset();
        }
        for (const auto& watch : gone) {
            self.guard([&] { watch->changed({}); });
        }
        return 0;
    }
};

namespace {

using Guard = std::function<void(const std::function<void()>&)>;

class SdAlarm : public EventLoop::Alarm {
public:
    SdAlarm(std::function<void()> fired, Guard guard)
        : m_fired(std::move(fired)), m_guard(std::move(guard)) {}

    Result<void> attach(sd_event* event) {
        sd_event_source* source = nullptr;
        TRY(check(
            sd_event_add_time(event, &source, CLOCK_MONOTONIC, 0, k_alarm_accuracy_us, fire, this),
            "make a timer"));
        m_source.reset(source);
        return check(sd_event_source_set_enabled(source, SD_EVENT_OFF), "make a timer");
    }

    void set(MonotonicTime when) override {
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(when).count();
        sd_event_source_set_time(m_source.get(), us > 0 ? static_cast<std::uint64_t>(us) : 0);
        sd_event_source_set_enabled(m_source.get(), SD_EVENT_ONESHOT);
    }

    void cancel() override { sd_event_source_set_enabled(m_source.get(), SD_EVENT_OFF); }

private:
    static int fire(sd_event_source*, std::uint64_t, void* userdata) {
        // Copies: the callback may destroy this alarm.
        const auto fired = static_cast<SdAlarm*>(userdata)->m_fired;
        const auto guard = static_cast<SdAlarm*>(userdata)->m_guard;
        guard(fired);
        return 0;
    }

    std::function<void()> m_fired;
    Guard m_guard;
    SourcePtr m_source;
};

class SdDescriptorWatch : public EventLoop::DescriptorWatch {
public:
    SdDescriptorWatch(std::function<void()> ready, Guard guard)
        : m_ready(std::move(ready)), m_guard(std::move(guard)) {}

    Result<void> attach(sd_event* event, int fd, std::uint32_t events) {
        sd_event_source* source = nullptr;
        TRY(check(sd_event_add_io(event, &source, fd, events, tell, this), "watch a descriptor"));
        m_source.reset(source);
        return {};
    }

private:
    static int tell(sd_event_source*, int, std::uint32_t, void* userdata) {
        // Copies: the callback may destroy this watch.
        const auto ready = static_cast<SdDescriptorWatch*>(userdata)->m_ready;
        const auto guard = static_cast<SdDescriptorWatch*>(userdata)->m_guard;
        guard(ready);
        return 0;
    }

    std::function<void()> m_ready;
    Guard m_guard;
    SourcePtr m_source;
};

} // namespace

EventLoop::EventLoop(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

EventLoop::~EventLoop() = default;

Result<std::unique_ptr<EventLoop>> EventLoop::make() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    TRY(check(-pthread_sigmask(SIG_BLOCK, &signals, nullptr), "block the stop signals"));
    // Out of habit, operators ask daemons with it to read their files again; ours do that anyway.
    ::signal(SIGHUP, SIG_IGN);

    auto impl = std::make_unique<Impl>();
    sd_event* event = nullptr;
    TRY(check(sd_event_new(&event), "be made"));
    impl->event.reset(event);
    for (const int signal : {SIGTERM, SIGINT}) {
        TRY(check(sd_event_add_signal(event, nullptr, signal, Impl::on_stop_signal, impl.get()),
                  "await stop signals"));
    }
    TRY(check(sd_event_set_watchdog(event, 1), "feed the watchdog"));

    impl->wake_fd = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    TRY(check(impl->wake_fd ? 0 : -errno, "make an eventfd"));
    sd_event_source* source = nullptr;
    TRY(check(
        sd_event_add_io(event, &source, impl->wake_fd.get(), EPOLLIN, Impl::on_wake_fd, impl.get()),
        "await wake-ups"));
    impl->wake_source.reset(source);
    TRY(check(sd_event_add_defer(event, &source, Impl::on_departed, impl.get()),
              "await directories that go"));
    impl->departed_source.reset(source);
    TRY(check(sd_event_source_set_enabled(source, SD_EVENT_OFF), "await directories that go"));
    return std::unique_ptr<EventLoop>(new EventLoop(std::move(impl)));
}

Result<std::unique_ptr<EventLoop::Alarm>> EventLoop::make_alarm(std::function<void()> fired) {
    Impl* impl = m_impl.get();
    auto alarm = std::make_unique<SdAlarm>(
        std::move(fired), [impl](const std::function<void()>& call) { impl->guard(call); });
    TRY(alarm->attach(impl->event.get()));
    return std::unique_ptr<Alarm>(std::move(alarm));
}

Result<std::unique_ptr<EventLoop::DescriptorWatch>>
EventLoop::watch_descriptor(int fd, Readiness readiness, std::function<void()> ready) {
    Impl* impl = m_impl.get();
    auto watch = std::make_unique<SdDescriptorWatch>(
        std::move(ready), [impl](const std::function<void()>& call) { impl->guard(call); });
    TRY(watch->attach(impl->event.get(), fd, readiness == Readiness::to_read ? EPOLLIN : EPOLLOUT));
    return std::unique_ptr<DescriptorWatch>(std::move(watch));
}

Result<void> EventLoop::watch_directory(const std::string& path,
                                        std::function<void(std::string_view name)> changed) {
    auto watch = std::make_shared<Impl::Watch>();
    watch->owner = m_impl.get();
    watch->path = path;
    watch->changed = std::move(changed);
    sd_event_source* source = nullptr;
    const int status = sd_event_add_inotify(m_impl->event.get(), &source, path.c_str(),
                                            k_directory_events, Impl::on_directory, watch.get());
    if (status < 0) {
        return fail(Errc::failed, "\"{}\" cannot be watched: {}", path, cause(status));
    }
    watch->source.reset(source);
    m_impl->watches[path] = std::move(watch);
    return {};
}

void EventLoop::unwatch_directory(const std::string& path) {
    m_impl->watches.erase(path);
    std::erase_if(m_impl->departed, [&](const auto& watch) { return watch->path == path; });
}

Result<void> EventLoop::on_wake(std::function<void()> woken) {
    m_impl->woken = std::move(woken);
    return {};
}

void EventLoop::on_stop(std::function<void()> stopping) {
    m_impl->stopping = std::move(stopping);
}

void EventLoop::wake() {
    const std::uint64_t one = 1;
    // A full counter already stands for a wake-up, so a write that would block loses nothing.
    [[maybe_unused]] const ssize_t written = write(m_impl->wake_fd.get(), &one, sizeof one);
}

Result<void> EventLoop::run() {
    const int status = sd_event_loop(m_impl->event.get());
    if (m_impl->thrown) {
        std::rethrow_exception(std::exchange(m_impl->thrown, nullptr));
    }
    return check(status, "go on");
}

void EventLoop::stop() {
    sd_event_exit(m_impl->event.get(), 0);
}

sd_event* EventLoop::native() const {
    return m_impl->event.get();
}

} // namespace losos
