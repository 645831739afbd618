#include "io/avahi_service.h"

#include <systemd/sd-bus.h>

#include <net/if.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace losos {
namespace {

constexpr Duration k_first_pause{500};
constexpr Duration k_last_pause{30000};
/// As many failures are answered by the first pause.
constexpr int k_quick_attempts = 10;

std::string interface_name(int index) {
    std::array<char, IF_NAMESIZE> name{};
    if (index <= 0 || if_indextoname(static_cast<unsigned>(index), name.data()) == nullptr) {
        return {};
    }
    return name.data();
}

/// Avahi hands the strings over last one first.
std::vector<std::string> read_txt(sd_bus_message* message) {
    std::vector<std::string> strings;
    if (sd_bus_message_enter_container(message, 'a', "ay") < 0) {
        return strings;
    }
    const void* bytes = nullptr;
    std::size_t size = 0;
    while (sd_bus_message_read_array(message, 'y', &bytes, &size) > 0) {
        strings.emplace_back(static_cast<const char*>(bytes), size);
    }
    sd_bus_message_exit_container(message);
    std::reverse(strings.begin(), strings.end());
    std::size_t total = 0;
    const auto too_many = std::find_if(strings.begin(), strings.end(), [&total](const auto& each) {
        // A byte more, as in the record itself: empty strings are not free.
        total += each.size() + 1;
        return total > k_found_txt_max;
    });
    strings.erase(too_many, strings.end());
    return strings;
}

} // namespace

Duration pause_before_attempt(int failures) {
    Duration pause = k_first_pause;
    for (int i = k_quick_attempts; i < failures && pause < k_last_pause; ++i) {
        pause *= 2;
    }
    return std::min(pause, k_last_pause);
}

bool is_named(sd_bus_message* message, std::string_view member) {
    return sd_bus_message_get_member(message) == member;
}

std::optional<ServiceKey> read_service_key(sd_bus_message* message) {
    int interface = 0;
    int family = 0;
    const char* instance = nullptr;
    const char* type = nullptr;
    const char* domain = nullptr;
    if (sd_bus_message_read(message, "iisss", &interface, &family, &instance, &type, &domain) < 0) {
        return std::nullopt;
    }
    return ServiceKey{interface, family, instance};
}

std::optional<FoundService> read_found_service(sd_bus_message* message, const ServiceKey& key) {
    const char* host = nullptr;
    int family = 0;
    const char* address = nullptr;
    std::uint16_t port = 0;
    if (sd_bus_message_read(message, "sisq", &host, &family, &address, &port) < 0) {
        return std::nullopt;
    }
    FoundService found;
    found.interface = interface_name(key.interface);
    found.instance = key.instance;
    found.host = host;
    found.port = port;
    found.address = address;
    found.txt = read_txt(message);
    return found;
}

} // namespace losos
