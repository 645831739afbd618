#include "io/avahi_host_name.h"

#include "io/avahi_bus.h"
#include "io/clock.h"

#include <systemd/sd-bus.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace losos {
namespace {

/// Avahi's number for a server whose name is its own; before that it may still lose it.
constexpr int k_running = 2;

struct BusClose {
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct MessageUnref {
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using MessagePtr = std::unique_ptr<sd_bus_message, MessageUnref>;

std::uint64_t microseconds_until(MonotonicTime deadline) {
    const auto left = std::chrono::microseconds(deadline - monotonic_now()).count();
    return left > 0 ? static_cast<std::uint64_t>(left) : 0;
}

/// Whether the bus greets in time. A first call would wait for that without an end.
bool becomes_ready(sd_bus* bus, MonotonicTime deadline) {
    int status = 0;
    while (status >= 0 && sd_bus_is_ready(bus) == 0) {
        const auto left = microseconds_until(deadline);
        if (left == 0) {
            return false;
        }
        status = sd_bus_process(bus, nullptr);
        if (status == 0) {
            status = sd_bus_wait(bus, left);
        }
    }
    return sd_bus_is_ready(bus) > 0;
}

/// The answer to a call without arguments, or nullptr.
MessagePtr ask(sd_bus* bus, const char* member, MonotonicTime deadline) {
    sd_bus_message* call = nullptr;
    if (sd_bus_message_new_method_call(bus, &call, "org.freedesktop.Avahi", "/", k_avahi_server,
                                       member) < 0) {
        return nullptr;
    }
    const MessagePtr owned(call);
    const auto left = microseconds_until(deadline);
    sd_bus_message* answer = nullptr;
    if (left == 0 || sd_bus_message_set_auto_start(call, 0) < 0 ||
        sd_bus_call(bus, call, left, nullptr, &answer) < 0) {
        return nullptr;
    }
    return MessagePtr(answer);
}

} // namespace

std::optional<std::string> ask_avahi_host_name(Duration patience) {
    const auto deadline = monotonic_now() + patience;
    sd_bus* opened = nullptr;
    if (sd_bus_open_system(&opened) < 0) {
        return std::nullopt;
    }
    const std::unique_ptr<sd_bus, BusClose> bus(opened);
    if (!becomes_ready(opened, deadline)) {
        return std::nullopt;
    }
    int state = 0;
    const auto settled = ask(opened, "GetState", deadline);
    if (!settled || sd_bus_message_read(settled.get(), "i", &state) < 0 || state != k_running) {
        return std::nullopt;
    }
    const char* name = nullptr;
    const auto named = ask(opened, "GetHostNameFqdn", deadline);
    if (!named || sd_bus_message_read(named.get(), "s", &name) < 0) {
        return std::nullopt;
    }
    return name;
}

struct AvahiHostName::Impl {
    explicit Impl(std::function<void(const std::string&)> callee) : told(std::move(callee)) {}

    std::function<void(const std::string&)> told;
    std::unique_ptr<EventLoop::Alarm> telling = nullptr;
    std::unique_ptr<AvahiBus> bus = nullptr;
    std::string name = {};

    void ask_for(const char* member, void (Impl::*then)(sd_bus_message*)) {
        bus->call({"/", k_avahi_server, member, nullptr, [this, then](sd_bus_message* answer) {
                       if (answer != nullptr) {
                           (this->*then)(answer);
                       }
                   }});
    }

    /// An answer to GetState, or StateChanged.
    void take_state(sd_bus_message* message) {
        int state = 0;
        if (sd_bus_message_read(message, "i", &state) >= 0 && state == k_running) {
            ask_for("GetHostNameFqdn", &Impl::take_name);
        }
    }

    void take_name(sd_bus_message* message) {
        const char* told_name = nullptr;
        if (sd_bus_message_read(message, "s", &told_name) >= 0) {
            name = told_name;
            // Told from the loop itself: what is called there may throw.
            telling->set(monotonic_now());
        }
    }
};

AvahiHostName::AvahiHostName(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

AvahiHostName::~AvahiHostName() = default;

Result<std::unique_ptr<AvahiHostName>>
AvahiHostName::follow(EventLoop& loop, std::function<void(const std::string& name)> told) {
    auto impl = std::make_unique<Impl>(std::move(told));
    Impl* self = impl.get();
    TRY_ASSIGN(self->telling, loop.make_alarm([self] { self->told(self->name); }));
    AvahiBus::Events events;
    events.signals = {{k_avahi_server, [self](sd_bus_message* message) {
                           if (sd_bus_message_get_member(message) ==
                               std::string_view("StateChanged")) {
                               self->take_state(message);
                           }
                       }}};
    events.appeared = [self] {
        self->ask_for("GetState", &Impl::take_state);
    };
    events.gone = [] {
    };
    TRY_ASSIGN(self->bus, AvahiBus::start(loop, std::move(events)));
    return std::unique_ptr<AvahiHostName>(new AvahiHostName(std::move(impl)));
}

} // namespace losos
