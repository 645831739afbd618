#include "io/avahi_bus.h"

#include "io/clock.h"

#include <systemd/sd-bus.h>

#include <algorithm>
#include <deque>
#include <list>
#include <utility>

namespace losos {
namespace {

constexpr const char* k_avahi = "org.freedesktop.Avahi";
constexpr const char* k_bus_service = "org.freedesktop.DBus";
constexpr const char* k_bus_path = "/org/freedesktop/DBus";
constexpr Duration k_first_pause{1000};
constexpr Duration k_last_pause{8000};
/// A system bus lets one connection have 128 calls open.
constexpr std::size_t k_open_calls_max = 64;

struct BusClose {
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct SlotUnref {
    void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
struct MessageUnref {
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using BusPtr = std::unique_ptr<sd_bus, BusClose>;
using SlotPtr = std::unique_ptr<sd_bus_slot, SlotUnref>;
using MessagePtr = std::unique_ptr<sd_bus_message, MessageUnref>;

} // namespace

struct AvahiBus::Impl {
    struct Awaited {
        std::function<void(sd_bus_message*)> received;
        SlotPtr slot;
    };
    struct OpenCall {
        Impl* owner = nullptr;
        std::function<void(sd_bus_message*)> answered;
        SlotPtr slot;
    };

    Impl(EventLoop& its_loop, Events its_events) : loop(its_loop), events(std::move(its_events)) {}

    EventLoop& loop;
    Events events;
    std::unique_ptr<EventLoop::Alarm> connecting = nullptr;
    Duration pause = k_first_pause;
    BusPtr bus = nullptr;
    /// Of this connection; they go before it.
    std::vector<SlotPtr> slots = {};
    /// Avahi's unique name, empty while it is not there. The rest is of that Avahi.
    std::string avahi = {};
    bool has_said_gone = false;
    std::list<Awaited> awaited = {};
    std::list<OpenCall> open_calls = {};
    std::deque<Call> waiting = {};

    static int on_signal(sd_bus_message* message, void* userdata, sd_bus_error*) noexcept {
        // A copy: what it calls may end this match.
        const auto received = static_cast<Awaited*>(userdata)->received;
        received(message);
        return 0;
    }

    static int on_answer(sd_bus_message* message, void* userdata, sd_bus_error*) noexcept {
        auto& call = *static_cast<OpenCall*>(userdata);
        Impl& self = *call.owner;
        const auto answered = std::move(call.answered);
        self.open_calls.remove_if([&call](const OpenCall& each) { return &each == &call; });
        answered(sd_bus_message_is_method_error(message, nullptr) > 0 ? nullptr : message);
        self.send_waiting();
        return 0;
    }

    static int on_owner_changed(sd_bus_message* message, void* userdata, sd_bus_error*) noexcept {
        const char* name = nullptr;
        const char* before = nullptr;
        const char* after = nullptr;
        if (sd_bus_message_read(message, "sss", &name, &before, &after) >= 0) {
            static_cast<Impl*>(userdata)->set_avahi(after);
        }
        return 0;
    }

    static int on_owner_told(sd_bus_message* message, void* userdata, sd_bus_error*) noexcept {
        auto& self = *static_cast<Impl*>(userdata);
        const char* name = "";
        if (sd_bus_message_is_method_error(message, nullptr) > 0 ||
            sd_bus_message_read(message, "s", &name) < 0) {
            name = "";
        }
        // The bus has answered: the next time it goes it is tried again soon.
        self.pause = k_first_pause;
        self.set_avahi(name);
        return 0;
    }

    static int on_disconnected(sd_bus_message*, void* userdata, sd_bus_error*) noexcept {
        static_cast<Impl*>(userdata)->lose_bus();
        return 0;
    }

    void drop_avahi() {
        awaited.clear();
        open_calls.clear();
        waiting.clear();
        avahi.clear();
    }

    void say_gone() {
        if (!std::exchange(has_said_gone, true)) {
            events.gone();
        }
    }

    void set_avahi(const std::string& name) {
        if (!name.empty() && name == avahi) {
            return;
        }
        drop_avahi();
        if (name.empty() || !await_signals(name)) {
            say_gone();
            return;
        }
        avahi = name;
        has_said_gone = false;
        events.appeared();
    }

    bool await_signals(const std::string& name) {
        return std::all_of(events.signals.begin(), events.signals.end(), [&](const auto& signal) {
            auto& one = awaited.emplace_back(Awaited{signal.received, nullptr});
            sd_bus_slot* slot = nullptr;
            const int status = sd_bus_match_signal_async(bus.get(), &slot, name.c_str(), nullptr,
                                                         signal.interface.c_str(), nullptr,
                                                         on_signal, nullptr, &one);
            one.slot.reset(slot);
            return status >= 0;
        });
    }

    void lose_bus() {
        drop_avahi();
        connecting->set(monotonic_now() + pause);
        pause = std::min(2 * pause, k_last_pause);
        say_gone();
    }

    void connect() {
        drop_avahi();
        slots.clear();
        bus.reset();
        if (open() < 0) {
            lose_bus();
        }
    }

    int open() {
        sd_bus* opened = nullptr;
        int status = sd_bus_open_system(&opened);
        if (status < 0) {
            return status;
        }
        bus.reset(opened);
        // At the end of the loop nothing is worth waiting for.
        sd_bus_set_close_on_exit(opened, 0);
        status = sd_bus_attach_event(opened, loop.native(), SD_EVENT_PRIORITY_NORMAL);
        const auto keep = [&](auto&& add) {
            sd_bus_slot* slot = nullptr;
            status = status < 0 ? status : add(&slot);
            slots.emplace_back(slot);
        };
        keep([&](sd_bus_slot** slot) {
            return sd_bus_match_signal_async(opened, slot, nullptr, nullptr,
                                             "org.freedesktop.DBus.Local", "Disconnected",
                                             on_disconnected, nullptr, this);
        });
        // Asked for after it is watched, so that no change falls between.
        keep([&](sd_bus_slot** slot) {
            return sd_bus_add_match_async(opened, slot,
                                          "type='signal',sender='org.freedesktop.DBus',"
                                          "interface='org.freedesktop.DBus',"
                                          "member='NameOwnerChanged',arg0='org.freedesktop.Avahi'",
                                          on_owner_changed, nullptr, this);
        });
        keep([&](sd_bus_slot** slot) {
            return sd_bus_call_method_async(opened, slot, k_bus_service, k_bus_path, k_bus_service,
                                            "GetNameOwner", on_owner_told, this, "s", k_avahi);
        });
        return status;
    }

    MessagePtr make_call(const Call& call) const {
        sd_bus_message* message = nullptr;
        if (sd_bus_message_new_method_call(bus.get(), &message, avahi.c_str(), call.path.c_str(),
                                           call.interface.c_str(), call.member.c_str()) < 0) {
            return nullptr;
        }
        MessagePtr made(message);
        return call.fill && call.fill(message) < 0 ? nullptr : std::move(made);
    }

    void send_waiting() {
        while (!waiting.empty() && open_calls.size() < k_open_calls_max) {
            const Call call = std::move(waiting.front());
            waiting.pop_front();
            auto& open = open_calls.emplace_back(OpenCall{this, call.answered, nullptr});
            const auto message = make_call(call);
            sd_bus_slot* slot = nullptr;
            if (!message ||
                sd_bus_call_async(bus.get(), &slot, message.get(), on_answer, &open, 0) < 0) {
                open_calls.pop_back();
                call.answered(nullptr);
                continue;
            }
            open.slot.reset(slot);
        }
    }
};

AvahiBus::AvahiBus(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

AvahiBus::~AvahiBus() {
    m_impl->drop_avahi();
    m_impl->slots.clear();
}

Result<std::unique_ptr<AvahiBus>> AvahiBus::start(EventLoop& loop, Events events) {
    auto impl = std::make_unique<Impl>(loop, std::move(events));
    Impl* self = impl.get();
    TRY_ASSIGN(impl->connecting, loop.make_alarm([self] { self->connect(); }));
    impl->connecting->set(monotonic_now());
    return std::unique_ptr<AvahiBus>(new AvahiBus(std::move(impl)));
}

void AvahiBus::call(Call call) {
    if (m_impl->avahi.empty()) {
        return;
    }
    m_impl->waiting.push_back(std::move(call));
    m_impl->send_waiting();
}

void AvahiBus::free(const std::string& path, const std::string& interface) {
    if (m_impl->avahi.empty()) {
        return;
    }
    const auto message = m_impl->make_call({path, interface, "Free", nullptr, nullptr});
    if (message && sd_bus_message_set_expect_reply(message.get(), 0) >= 0) {
        sd_bus_send(m_impl->bus.get(), message.get(), nullptr);
    }
}

} // namespace losos
