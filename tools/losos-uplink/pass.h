// One pass of the uplink, and its repetition while what it read changes
// (losos-uplink(8)).
#pragma once

#include "uplink_options.h"

#include "base/result.h"

namespace losos {

/// Takes the uplink's lock and makes passes until one has read nothing that changed meanwhile; the
/// outcome is the last one's.
Result<void> run_passes(const UplinkOptions& options);

} // namespace losos
