#include "core/probe_answer.h"

namespace losos {

ProbeResult judge_health(const EdgeAnswer& health) {
    return is_healthy(health) ? ProbeResult::ok : ProbeResult::wrong_answer;
}

ProbeResult judge_probed_key(const std::optional<NoiseKey>& pin, const EdgeAnswer& key,
                             const EdgeAnswer& health) {
    switch (judge_noise_key(pin, key, health).verdict) {
    case NoiseVerdict::pin_now:
    case NoiseVerdict::same:
    case NoiseVerdict::plain:
        return ProbeResult::ok;
    case NoiseVerdict::changed:
        return ProbeResult::wrong_key;
    case NoiseVerdict::no_answer:
        break;
    }
    return ProbeResult::wrong_answer;
}

} // namespace losos
