// What Avahi calls this host on the LAN: the host's own name, unless another machine has it
// already.
#pragma once

#include "base/duration.h"
#include "base/result.h"
#include "io/event_loop.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace losos {

/// The name with its domain, from an Avahi that has settled on one; nullopt when there is none, or
/// it does not answer in time. Starts no Avahi.
std::optional<std::string> ask_avahi_host_name(Duration patience);

/// Follows that name from one Avahi to the next.
class AvahiHostName {
public:
    /// `told` is called from the loop with the name each time that Avahi has settled on one, the
    /// same or another. Nothing is said when Avahi goes.
    static Result<std::unique_ptr<AvahiHostName>>
    follow(EventLoop& loop, std::function<void(const std::string& name)> told);
    AvahiHostName(const AvahiHostName&) = delete;
    AvahiHostName& operator=(const AvahiHostName&) = delete;
    ~AvahiHostName();

private:
    struct Impl;
    explicit AvahiHostName(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace losos
