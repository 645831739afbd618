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

/// The duration a text says; fails on zero, on more than a million hours (so that no sum of
/// durations and times overflows) and on anything else.
Result<Duration> parse_duration(std::string_view text);

/// The duration in the largest unit that divides it, as parse_duration reads it back.
std::string render_duration(Duration duration);

} // namespace losos
