#include "core/noise_pin.h"

#include <utility>

namespace losos {

bool needs_health(const std::optional<NoiseKey>& pin, const std::optional<EdgeAnswer>& key_answer) {
    return !pin && key_answer && key_answer->status == 404;
}

NoiseJudgement judge_noise_key(const std::optional<NoiseKey>& pin,
                               const std::optional<EdgeAnswer>& key_answer,
                               const std::optional<EdgeAnswer>& health_answer) {
    if (!key_answer) {
        return {NoiseVerdict::no_answer, pin};
    }
    if (key_answer->status == 404) {
        if (pin) {
            return {NoiseVerdict::changed, pin};
        }
        return {health_answer && is_healthy(*health_answer) ? NoiseVerdict::plain
                                                            : NoiseVerdict::no_answer,
                std::nullopt};
    }
    auto key = NoiseKey::parse(key_answer->body);
    if (key_answer->status != 200 || !key) {
        return {NoiseVerdict::no_answer, pin};
    }
    if (!pin) {
        return {NoiseVerdict::pin_now, *std::move(key)};
    }
    return {*pin == *key ? NoiseVerdict::same : NoiseVerdict::changed, pin};
}

} // namespace losos
