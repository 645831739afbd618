// A probe over TLS, which waits: for a thread of its own.
#pragma once

#include "core/network.h"
#include "core/probe_answer.h"

#include "base/duration.h"

#include <atomic>
#include <optional>

namespace losos {

/// The bytes of a body that a probe has a use for.
inline constexpr std::size_t k_probe_body_bytes = 4 * 1024;

/// `with_key`: compare the Noise key with `pin` as well. Ends soon after `abandoned` turned true.
ProbeResult probe_over_tls(const HttpUrl& url, Duration timeout, bool with_key,
                           const std::optional<NoiseKey>& pin, const std::atomic<bool>& abandoned);

} // namespace losos
