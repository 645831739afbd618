// What the registrar says of itself in status.json: a rule of `losos-edge doctor`.
#pragma once

#include "base/duration.h"
#include "core/doctor.h"
#include "core/uplink_plan.h"

#include <string>
#include <vector>

namespace losos {

struct RegistrarFacts {
    LiveVerdict verdict = LiveVerdict::no_status;
    /// Whether it ended by itself, in good order.
    bool has_stopped = false;
    /// Since it last said that it is well.
    Duration age{0};
    std::vector<std::string> faults;
};

/// One check of its pulse, and one for each fault it names.
std::vector<Check> check_registrar(const RegistrarFacts& facts);

} // namespace losos
