#include "io/lan_browser.h"

#include "io/avahi_bus.h"
#include "io/avahi_service.h"
#include "io/clock.h"

#include <systemd/sd-bus.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace losos {
namespace {

constexpr const char* k_browser = "org.freedesktop.Avahi.ServiceBrowser";
constexpr const char* k_resolver = "org.freedesktop.Avahi.ServiceResolver";
constexpr const char* k_domain = "local";
/// Avahi's number for any interface and for any family.
constexpr int k_any = -1;

/// Changes that come within it are told together.
constexpr Duration k_gather{20};
/// How long the first answer may take; a stranger's service that does not resolve takes it all.
constexpr Duration k_search_patience{5000};
/// After a browser failed, or was too full to know all there is.
constexpr Duration k_browse_again{5000};
/// Attempts that start at once, so that a crowd of dead services is no load.
constexpr int k_attempts_at_once = 16;
/// There is room again for services that were not looked at.
constexpr std::size_t k_room = k_found_services_max - 64;

struct Service {
    /// Orders services, and tells one from its successor under the same key.
    std::uint64_t number = 0;
    /// The browser that named it last.
    std::uint64_t browser = 0;
    /// Avahi's object, empty while there is none.
    std::string resolver;
    std::optional<FoundService> found;
    /// Whether Avahi has said anything of it.
    bool is_answered = false;
    int failures = 0;
    /// Set while it waits for another attempt.
    std::optional<MonotonicTime> again;
};

} // namespace

struct LanBrowser::Impl {
    Impl(std::string its_type, std::function<void()> callee)
        : type(std::move(its_type)), changed(std::move(callee)) {}

    std::string type;
    std::function<void()> changed;
    std::unique_ptr<EventLoop::Alarm> telling = nullptr;
    std::unique_ptr<EventLoop::Alarm> ticking = nullptr;
    std::unique_ptr<AvahiBus> bus = nullptr;

    State state = State::searching;
    bool has_news = false;
    std::map<ServiceKey, Service> services = {};
    std::map<std::string, ServiceKey> resolvers = {};
    std::uint64_t last_number = 0;

    /// The browser in use, by our count; its object's path comes with Avahi's answer.
    std::uint64_t browser = 0;
    std::string browser_path = {};
    bool is_all_for_now = false;
    bool has_overflowed = false;
    std::optional<MonotonicTime> search_ends = {};
    std::optional<MonotonicTime> browse_again = {};

    void tell() {
        if (!std::exchange(has_news, true)) {
            telling->set(monotonic_now() + k_gather);
        }
    }

    void set_state(State next) {
        if (std::exchange(state, next) != next) {
            tell();
        }
    }

    // What is due next, whatever it is, is looked at by tick().
    void plan_tick() {
        std::optional<MonotonicTime> next;
        const auto by = [&next](const std::optional<MonotonicTime>& moment) {
            if (moment) {
                next = next ? std::min(*next, *moment) : *moment;
            }
        };
        by(search_ends);
        by(browse_again);
        for (const auto& [key, service] : services) {
            by(service.again);
        }
        if (next) {
            ticking->set(*next);
        } else {
            ticking->cancel();
        }
    }

    void tick() {
        const auto now = monotonic_now();
        if (search_ends && *search_ends <= now) {
            search_ends.reset();
            set_state(browser == 0 ? State::unavailable : State::done);
        }
        if (browse_again && *browse_again <= now) {
            browse();
        }
        int attempts = 0;
        for (auto& [key, service] : services) {
            if (!service.again || *service.again > now) {
                continue;
            }
            if (++attempts > k_attempts_at_once) {
                service.again = now + Duration(1000);
            } else {
                resolve(key, service);
            }
        }
        plan_tick();
    }

    void appeared() {
        set_state(State::searching);
        browse();
    }

    void gone() {
        if (std::any_of(services.begin(), services.end(),
                        [](const auto& each) { return each.second.found.has_value(); })) {
            tell();
        }
        services.clear();
        resolvers.clear();
        browser = 0;
        browser_path.clear();
        search_ends.reset();
        browse_again.reset();
        set_state(State::unavailable);
        plan_tick();
    }

    void browse() {
        browse_again.reset();
        if (!browser_path.empty()) {
            bus->free(browser_path, k_browser);
            browser_path.clear();
        }
        const auto number = ++last_number;
        browser = number;
        is_all_for_now = false;
        has_overflowed = false;
        search_ends = monotonic_now() + k_search_patience;
        bus->call({"/", k_avahi_server, "ServiceBrowserNew",
                   [this](sd_bus_message* message) {
                       return sd_bus_message_append(message, "iissu", k_any, k_any, type.c_str(),
                                                    k_domain, 0U);
                   },
                   [this, number](sd_bus_message* answer) {
                       const char* path = nullptr;
                       if (answer == nullptr || sd_bus_message_read(answer, "o", &path) < 0) {
                           browse_later();
                       } else if (number == browser) {
                           browser_path = path;
                       } else {
                           bus->free(path, k_browser);
                       }
                   }});
        plan_tick();
    }

    void browse_later() {
        browse_again = monotonic_now() + k_browse_again;
        plan_tick();
    }

    void resolve(const ServiceKey& key, Service& service) {
        service.again.reset();
        const auto number = service.number;
        bus->call({"/", k_avahi_server, "ServiceResolverNew",
                   [this, key](sd_bus_message* message) {
                       return sd_bus_message_append(message, "iisssiu", key.interface, key.family,
                                                    key.instance.c_str(), type.c_str(), k_domain,
                                                    key.family, 0U);
                   },
                   [this, key, number](sd_bus_message* answer) {
                       const char* path = nullptr;
                       const bool is_made =
                           answer != nullptr && sd_bus_message_read(answer, "o", &path) >= 0;
                       resolver_made(key, number, is_made ? path : "");
                   }});
    }

    void resolver_made(const ServiceKey& key, std::uint64_t number, const std::string& path) {
        const auto place = services.find(key);
        const bool is_wanted = place != services.end() && place->second.number == number;
        if (path.empty()) {
            if (is_wanted) {
                failed(place->second);
            }
        } else if (is_wanted && place->second.resolver.empty()) {
            place->second.resolver = path;
            resolvers[path] = key;
        } else {
            bus->free(path, k_resolver);
        }
    }

    void free_resolver(Service& service) {
        if (!service.resolver.empty()) {
            bus->free(service.resolver, k_resolver);
            resolvers.erase(service.resolver);
            service.resolver.clear();
        }
    }

    void failed(Service& service) {
        free_resolver(service);
        if (service.found) {
            service.found.reset();
            service.failures = 0;
            tell();
        }
        service.is_answered = true;
        service.again = monotonic_now() + pause_before_attempt(++service.failures);
        finish_search();
        plan_tick();
    }

    void finish_search() {
        const bool is_open = std::any_of(services.begin(), services.end(),
                                         [](const auto& each) { return !each.second.is_answered; });
        if (is_all_for_now && !is_open && search_ends) {
            search_ends.reset();
            set_state(State::done);
            plan_tick();
        }
    }

    void item_new(const ServiceKey& key) {
        const auto place = services.find(key);
        if (place == services.end() && services.size() >= k_found_services_max) {
            has_overflowed = true;
            return;
        }
        Service& service = place == services.end() ? services[key] : place->second;
        service.browser = browser;
        if (place == services.end()) {
            service.number = ++last_number;
            resolve(key, service);
        } else if (service.again) {
            resolve(key, service);
            plan_tick();
        }
    }

    std::map<ServiceKey, Service>::iterator drop(std::map<ServiceKey, Service>::iterator place) {
        free_resolver(place->second);
        if (place->second.found) {
            tell();
        }
        return services.erase(place);
    }

    void item_remove(const ServiceKey& key) {
        if (const auto place = services.find(key); place != services.end()) {
            drop(place);
            finish_search();
        }
        if (has_overflowed && services.size() <= k_room && !browse_again) {
            browse_later();
        }
        plan_tick();
    }

    void all_for_now() {
        is_all_for_now = true;
        for (auto place = services.begin(); place != services.end();) {
            place = place->second.browser == browser ? std::next(place) : drop(place);
        }
        finish_search();
    }

    void browser_signal(sd_bus_message* message) {
        // Signals of a new browser may come before its path does.
        if (!browser_path.empty() && sd_bus_message_get_path(message) != browser_path) {
            return;
        }
        if (is_named(message, "AllForNow")) {
            all_for_now();
        } else if (is_named(message, "Failure")) {
            browse_later();
        } else if (const auto key = read_service_key(message)) {
            if (is_named(message, "ItemNew")) {
                item_new(*key);
            } else if (is_named(message, "ItemRemove")) {
                item_remove(*key);
            }
        }
    }

    void resolver_signal(sd_bus_message* message) {
        if (is_named(message, "Failure")) {
            const auto resolver = resolvers.find(sd_bus_message_get_path(message));
            if (resolver != resolvers.end()) {
                failed(services.at(resolver->second));
            }
            return;
        }
        const auto key = is_named(message, "Found") ? read_service_key(message) : std::nullopt;
        const auto place = key ? services.find(*key) : services.end();
        if (place == services.end()) {
            return;
        }
        auto found = read_found_service(message, *key);
        Service& service = place->second;
        if (!found) {
            return;
        }
        if (service.found != found) {
            service.found = std::move(found);
            tell();
        }
        service.is_answered = true;
        service.failures = 0;
        finish_search();
    }
};

LanBrowser::LanBrowser(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

LanBrowser::~LanBrowser() = default;

Result<std::unique_ptr<LanBrowser>> LanBrowser::start(EventLoop& loop, std::string type,
                                                      std::function<void()> changed) {
    auto impl = std::make_unique<Impl>(std::move(type), std::move(changed));
    Impl* self = impl.get();
    TRY_ASSIGN(self->telling, loop.make_alarm([self] {
        self->has_news = false;
        self->changed();
    }));
    TRY_ASSIGN(self->ticking, loop.make_alarm([self] { self->tick(); }));
    self->search_ends = monotonic_now() + k_search_patience;
    self->plan_tick();
    AvahiBus::Events events;
    events.signals = {{k_browser,
                       [self](sd_bus_message* message) {
                           self->browser_signal(message);
                       }},
                      {k_resolver, [self](sd_bus_message* message) {
                           self->resolver_signal(message);
                       }}};
    events.appeared = [self] {
        self->appeared();
    };
    events.gone = [self] {
        self->gone();
    };
    TRY_ASSIGN(self->bus, AvahiBus::start(loop, std::move(events)));
    return std::unique_ptr<LanBrowser>(new LanBrowser(std::move(impl)));
}

LanBrowser::State LanBrowser::state() const {
    return m_impl->state;
}

std::vector<FoundService> LanBrowser::services() const {
    std::map<std::uint64_t, const FoundService*> found;
    for (const auto& [key, service] : m_impl->services) {
        if (service.found) {
            found[service.number] = &*service.found;
        }
    }
    std::vector<FoundService> services;
    services.reserve(found.size());
    for (const auto& [number, service] : found) {
        services.push_back(*service);
    }
    return services;
}

} // namespace losos
