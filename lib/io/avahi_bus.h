// A connection to the system bus that follows one Avahi after another: what is lost, the bus or
// Avahi, is awaited, and nothing is started by being called. For lib/io's own modules, which speak
// to Avahi through it.
#pragma once

#include "base/result.h"
#include "io/event_loop.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct sd_bus_message;

namespace losos {

inline constexpr const char* k_avahi_server = "org.freedesktop.Avahi.Server";

class AvahiBus {
public:
    /// None of them may throw: they are called through the frames of libsystemd.
    struct Signal {
        /// All signals of an interface are awaited.
        std::string interface;
        std::function<void(sd_bus_message*)> received;
    };
    struct Events {
        std::vector<Signal> signals;
        /// An Avahi is there that was not before; what an earlier one was asked for is void.
        std::function<void()> appeared;
        /// There is none, or no bus: said once until the next one appears, at the start as well.
        std::function<void()> gone;
    };

    /// Calls nothing before the loop runs.
    static Result<std::unique_ptr<AvahiBus>> start(EventLoop& loop, Events events);
    AvahiBus(const AvahiBus&) = delete;
    AvahiBus& operator=(const AvahiBus&) = delete;
    ~AvahiBus();

    /// One call of the Avahi that is there now. `fill` appends the arguments, as sd-bus does with a
    /// negative errno for failure; `answered` gets the answer, or nullptr for a refusal, and
    /// nothing once that Avahi is gone. Calls beyond a bus's limit of open ones wait for their
    /// turn.
    struct Call {
        std::string path;
        std::string interface;
        std::string member;
        std::function<int(sd_bus_message*)> fill;
        std::function<void(sd_bus_message*)> answered;
    };
    void call(Call call);
    /// Gives up an object that Avahi made for a call.
    void free(const std::string& path, const std::string& interface);

private:
    struct Impl;
    explicit AvahiBus(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace losos
