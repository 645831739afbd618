#include "doctor_place.h"

#include "base/file_facts.h"
#include "base/format.h"
#include "files/paths.h"

namespace losos {

namespace {

using Names = std::vector<std::string>;

bool has_zone(const DoctorPlace& place) {
    return place.report.status && place.report.status->zone;
}

Names always_up(const DoctorPlace& place, Machine machine) {
    Names edge{"losos-registrar.service", "losos-rathole.service", "losos-traefik.service"};
    switch (machine) {
    case Machine::hub:
        if (has_zone(place)) {
            edge.insert(edge.end(), {"losos-dns-reload.path", "losos-dns-reload.timer"});
        }
        return edge;
    case Machine::gateway:
        for (const auto* name : {"losos-uplink.path", "losos-uplink.timer",
                                 "losos-rathole-uplink.path", "losos-rathole-uplink-stop.path"}) {
            edge.emplace_back(name);
        }
        return edge;
    case Machine::box:
        break;
    }
    return {"lososd-pathd.service", "losos-edge-path.path", "losos-edge-path-none.path",
            "losos-edge-path.timer"};
}

/// Avahi is Debian's: a machine may do without it.
Check examine_avahi(const DoctorPlace& place) {
    const auto unit = place.unit("avahi-daemon.service");
    if (unit.load == "not-found") {
        return check_not_made("unit avahi-daemon.service",
                              "it is not installed, so gateways and boxes do not find each other "
                              "on the LAN");
    }
    return check_unit(unit, UnitWish::up);
}

bool is_there(const std::string& path) {
    return examine_entry(path).fault == 0;
}

/// Knot is Debian's: another name server may serve the zone.
void add_zone_units(const DoctorPlace& place, Checks& checks) {
    const auto knot = place.unit("knot.service");
    checks.push_back(knot.load == "not-found"
                         ? check_not_made("unit knot.service", "it is not installed")
                         : check_unit(knot, UnitWish::up));
    checks.push_back(check_unit(place.unit("losos-dns-reload.service"), UnitWish::passing));
}

void add_gateway_units(const DoctorPlace& place, Checks& checks) {
    const auto tunnels = place.unit("losos-rathole-uplink.service");
    const bool is_wanted = is_there(place.files.rathole_uplink);
    checks.push_back(check_unit(tunnels, is_wanted ? UnitWish::up : UnitWish::down,
                                format("there is no {}", place.files.rathole_uplink)));
    checks.push_back(check_unit(place.unit("losos-uplink.service"), UnitWish::passing));
    checks.push_back(examine_avahi(place));
}

void add_box_units(const DoctorPlace& place, Checks& checks) {
    const auto marker = in_directory(place.options.box_run_dir, k_edge_none);
    const auto wish = is_there(marker) ? UnitWish::down : UnitWish::up;
    const auto why = format("no edge is in reach ({})", marker);
    for (const auto* name : {"losos-registrar-announce.service", "losos-rathole-client.service"}) {
        checks.push_back(check_unit(place.unit(name), wish, why));
    }
    checks.push_back(check_unit(place.unit("losos-edge-path.service"), UnitWish::passing));
    checks.push_back(examine_avahi(place));
}

} // namespace

Checks examine_units(const DoctorPlace& place, Machine machine) {
    if (!place.manager) {
        const std::string what = "units";
        const auto why = place.manager_fault + "; type \"systemctl start dbus\"";
        return {is_run_by_systemd() ? check_failed(what, why)
                                    : check_not_made(what, place.manager_fault)};
    }
    Checks checks;
    std::vector<UnitFacts> units;
    for (const auto& name : always_up(place, machine)) {
        units.push_back(place.unit(name));
        checks.push_back(check_unit(units.back(), UnitWish::up));
    }
    switch (machine) {
    case Machine::hub:
        if (has_zone(place)) {
            add_zone_units(place, checks);
        }
        break;
    case Machine::gateway:
        add_gateway_units(place, checks);
        break;
    case Machine::box:
        add_box_units(place, checks);
        break;
    }
    const auto target = format("losos-{}.target", name_of(machine));
    checks.push_back(check_start_at_boot(place.unit(target), units));
    return checks;
}

} // namespace losos
