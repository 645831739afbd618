// Whether systemd runs what this machine needs: the rules of `losos-edge doctor` for units.
#pragma once

#include "core/doctor.h"

#include <string>
#include <vector>

namespace losos {

/// What systemd says of a unit, in its own words.
struct UnitFacts {
    std::string name;
    /// loaded, not-found, masked, bad-setting or error.
    std::string load;
    /// active, inactive, failed, activating, ...
    std::string active;
    std::string sub;
    /// enabled, disabled, static, ...
    std::string file_state;
    /// Of the last run of a service.
    int exit_status = 0;
    friend bool operator==(const UnitFacts&, const UnitFacts&) = default;
};

/// What a unit should be doing.
enum class UnitWish {
    up,
    /// It stands still, for a reason that is said.
    down,
    /// It runs and ends, and must not have failed.
    passing,
};

/// `why_down`: why it should be down, for UnitWish::down alone.
Check check_unit(const UnitFacts& unit, UnitWish wish, std::string_view why_down = "");

/// Whether what runs now also runs after a boot: the machine's target is enabled, or else each of
/// the units that should be up is.
Check check_start_at_boot(const UnitFacts& target, const std::vector<UnitFacts>& units);

/// Whether a unit is started at a boot by being enabled.
bool is_enabled(const UnitFacts& unit);

} // namespace losos
