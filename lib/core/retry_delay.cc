#include "core/retry_delay.h"

#include <algorithm>

namespace losos {

Duration retry_delay(int failures, double jitter) {
    constexpr int k_doublings = 5;
    constexpr Duration k_first{1000};
    constexpr Duration k_longest{30000};
    const auto longest =
        std::min(k_longest, k_first * (1 << std::clamp(failures - 1, 0, k_doublings)));
    const auto share = 0.5 + std::clamp(jitter, 0.0, 1.0) / 2;
    return Duration(static_cast<Duration::rep>(static_cast<double>(longest.count()) * share));
}

} // namespace losos
