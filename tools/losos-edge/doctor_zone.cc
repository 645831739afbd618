#include "doctor_asking.h"
#include "doctor_place.h"

#include "base/format.h"
#include "core/check_zone.h"
#include "files/zone_file.h"
#include "io/zone_serial.h"

namespace losos {

namespace {

constexpr const char* k_loopback = "127.0.0.1";

/// The name server may listen on the edge's own addresses alone.
ZoneFacts look_at(const status_file::Zone& zone, Duration timeout) {
    ZoneFacts facts{zone.name.text(), zone.file, std::nullopt, std::nullopt, {}};
    if (const auto text = zone_file::load(zone.file); text && *text) {
        facts.written = parse_zone_serial(**text);
    }
    std::vector<std::string> servers{k_loopback};
    for (const auto& address : zone.addresses) {
        if (address.find(':') == std::string::npos) {
            servers.push_back(address);
        }
    }
    for (const auto& server : servers) {
        const auto serial = ask_zone_serial(server, facts.name, timeout);
        if (serial) {
            facts.served = *serial;
            return facts;
        }
        if (facts.fault.empty()) {
            facts.fault = serial.error().what;
        }
    }
    return facts;
}

} // namespace

Checks examine_zone(const DoctorPlace& place) {
    const auto& status = place.report.status;
    if (!place.report.registrar_runs() || !status->zone) {
        return {};
    }
    const auto& name = status->zone->name.text();
    const auto until = status->identity ? std::optional(status->identity->not_after) : std::nullopt;
    return {check_official(until, place.report.moment.unix),
            check_served_zone(look_at(*status->zone, place.options.timeout)),
            check_name(name, "this edge", look_up(name, place.options.timeout))};
}

} // namespace losos
