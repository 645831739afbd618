// What Avahi's signals say of one service, read out of the messages, and when it is asked again.
#pragma once

#include "base/duration.h"
#include "io/lan_browser.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

struct sd_bus_message;

namespace losos {

/// One instance of the type that is browsed for, as Avahi tells it from others.
struct ServiceKey {
    int interface = 0;
    int family = 0;
    std::string instance;
    friend auto operator<=>(const ServiceKey&, const ServiceKey&) = default;
};

/// Whether a signal is the one of that name.
bool is_named(sd_bus_message* message, std::string_view member);

/// The head of ItemNew, ItemRemove and Found; nullopt when the message has another shape.
std::optional<ServiceKey> read_service_key(sd_bus_message* message);

/// The rest of Found, after its key.
std::optional<FoundService> read_found_service(sd_bus_message* message, const ServiceKey& key);

/// How long to wait after so many failures to resolve a service in a row. Avahi itself gives up
/// after 5 s and says no more of the service: who comes back is seen by the next attempt.
Duration pause_before_attempt(int failures);

} // namespace losos
