// Durations as flags and files spell them: <n> followed by ms, s, m or h; a bare number is seconds.
#pragma once

#include "base/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace losos {

/// A length of time in milliseconds.
using Duration = std::chrono::milliseconds;

/// A moment on the monotonic clock, in milliseconds since boot. Always passed in, never read here.
using MonotonicTime = std::chrono::duration<long long, std::milli>;

/// Seconds since 1970, UTC. Always passed in, never read here.
using UnixTime = std::chrono::duration<long long>;

/// The duration a text says; fails on zero, on overflow and on anything else.
Result<Duration> parse_duration(std::string_view text);

/// The shortest spelling of a duration that parse_duration reads back.
std::string render_duration(Duration duration);

} // namespace losos
