#include "core/check_units.h"

#include "base/append.h"
#include "base/format.h"

namespace losos {

namespace {

std::string what_of(const UnitFacts& unit) {
    return format("unit {}", unit.name);
}

std::string journal_of(const UnitFacts& unit) {
    return format("\"journalctl -u {}\" says why", unit.name);
}

/// What the exit codes of our own programs mean; rathole and Traefik know only 1.
std::string_view meaning_of(int exit_status) {
    switch (exit_status) {
    case 2:
        return ", wrong usage: look at its flags";
    case 6:
        return ", not configured or a file that cannot be used";
    default:
        return "";
    }
}

std::string exit_of(const UnitFacts& unit) {
    return unit.exit_status == 0
               ? std::string()
               : format(" (exit {}{})", unit.exit_status, meaning_of(unit.exit_status));
}

Check check_failed_unit(const UnitFacts& unit) {
    return check_failed(what_of(unit), format("it has failed{}; {}; mend that, then type "
                                              "\"systemctl restart {}\"",
                                              exit_of(unit), journal_of(unit), unit.name));
}

std::optional<Check> check_load(const UnitFacts& unit) {
    if (unit.load == "loaded") {
        return std::nullopt;
    }
    if (unit.load == "masked") {
        return check_failed(what_of(unit), format("it is masked, so nothing can start it; type "
                                                  "\"systemctl unmask {}\"",
                                                  unit.name));
    }
    if (unit.load == "not-found") {
        return check_failed(what_of(unit),
                            "it is not installed; install the package it comes from");
    }
    return check_failed(what_of(unit), format("systemd cannot use it ({}); see \"systemctl status "
                                              "{}\"",
                                              unit.load, unit.name));
}

Check check_up(const UnitFacts& unit) {
    if (unit.active == "active" || unit.active == "reloading") {
        return check_ok(what_of(unit), unit.sub);
    }
    if (unit.sub == "auto-restart") {
        return check_failed(what_of(unit), format("it does not stay up{}: systemd starts it again "
                                                  "and again; {}",
                                                  exit_of(unit), journal_of(unit)));
    }
    if (unit.active == "activating") {
        return check_not_made(what_of(unit), "it is just starting; ask again in a while");
    }
    return check_failed(what_of(unit),
                        format("it is not running; type \"systemctl start {}\"", unit.name));
}

} // namespace

Check check_unit(const UnitFacts& unit, UnitWish wish, std::string_view why_down) {
    if (auto fault = check_load(unit)) {
        return *std::move(fault);
    }
    if (unit.active == "failed" && wish != UnitWish::down) {
        return check_failed_unit(unit);
    }
    switch (wish) {
    case UnitWish::up:
        return check_up(unit);
    case UnitWish::passing:
        return check_ok(what_of(unit),
                        unit.active == "inactive" ? "its last run went well" : unit.active);
    case UnitWish::down:
        break;
    }
    if (unit.active == "active" || unit.active == "activating") {
        return check_failed(
            what_of(unit),
            format("it runs, although {}; type \"systemctl stop {}\"", why_down, unit.name));
    }
    return check_ok(what_of(unit), format("off, as it should be: {}", why_down));
}

bool is_enabled(const UnitFacts& unit) {
    return unit.file_state.starts_with("enabled");
}

Check check_start_at_boot(const UnitFacts& target, const std::vector<UnitFacts>& units) {
    static const std::string k_what = "start at boot";
    if (is_enabled(target)) {
        return check_ok(k_what, format("{} is enabled", target.name));
    }
    std::string missing;
    for (const UnitFacts& unit : units) {
        // What cannot be enabled is started by something else.
        if (unit.file_state == "disabled") {
            append_item(missing, unit.name);
        }
    }
    if (missing.empty()) {
        return check_ok(k_what, "each unit is enabled by itself");
    }
    return check_failed(k_what, format("after a boot nothing starts {}; type \"systemctl enable "
                                       "{}\"",
                                       missing, target.name));
}

} // namespace losos
