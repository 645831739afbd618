// The only place the clocks and the kernel's boot id are read; everything else is told the time.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <string>

namespace losos {

/// CLOCK_MONOTONIC.
MonotonicTime monotonic_now();

/// The same, fine enough to tell how long something took.
std::chrono::microseconds monotonic_microseconds();

/// CLOCK_REALTIME.
UnixTime unix_now();

/// CLOCK_REALTIME as the Date header of an HTTP answer has it.
std::string http_date_now();

/// The kernel's id of this boot.
Result<std::string> read_boot_id();

} // namespace losos
