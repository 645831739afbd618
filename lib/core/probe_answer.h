// What the answers to a probe come to: whether somebody is an edge, and the edge he is taken for.
#pragma once

#include "core/edge_answer.h"
#include "core/noise_pin.h"
#include "core/way_health.h"

#include <optional>

namespace losos {

/// The verdict on GET /health alone.
ProbeResult judge_health(const EdgeAnswer& health);

/// The verdict where the Noise key was asked for as well, once the health was good. An edge whose
/// key cannot be read is none that can be used.
ProbeResult judge_probed_key(const std::optional<NoiseKey>& pin, const EdgeAnswer& key,
                             const EdgeAnswer& health);

} // namespace losos
