// Whether the edge at the other end is the one whose Noise key was pinned
// (losos-uplink(8)). An uplink judges its hub by this rule, a box its edge.
#pragma once

#include "core/edge_answer.h"
#include "core/rathole_config.h"

#include <optional>

namespace losos {

enum class NoiseVerdict {
    /// First contact: the key is to be pinned.
    pin_now,
    same,
    /// Another key than the pinned one, or none at all where one is pinned.
    changed,
    /// The edge uses no Noise, and none is pinned.
    plain,
    /// Nothing can be said; a pin stays in force.
    no_answer,
};

struct NoiseJudgement {
    NoiseVerdict verdict = NoiseVerdict::no_answer;
    /// The key tunnels are to use: the pin, or the one to be pinned.
    std::optional<NoiseKey> key;
};

/// Whether GET /health has to be asked as well: 404 alone may come from anything.
bool needs_health(const std::optional<NoiseKey>& pin, const std::optional<EdgeAnswer>& key_answer);

/// The verdict on the answers to GET /noise-public-key and, where needs_health says so, GET
/// /health; nullopt stands for no answer.
NoiseJudgement judge_noise_key(const std::optional<NoiseKey>& pin,
                               const std::optional<EdgeAnswer>& key_answer,
                               const std::optional<EdgeAnswer>& health_answer);

} // namespace losos
