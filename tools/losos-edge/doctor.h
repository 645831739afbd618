// `losos-edge doctor`: every hop from this machine, a line each.
#pragma once

#include "doctor_place.h"

#include "base/result.h"

namespace losos {

/// Prints what was found. Fails with Errc::failed when a check failed, and with Errc::unusable when
/// it cannot be told what kind of machine this is.
Result<void> examine_machine(const EdgeFiles& files, const DoctorOptions& options);

} // namespace losos
