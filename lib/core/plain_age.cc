#include "core/plain_age.h"

#include "base/format.h"

#include <algorithm>

namespace losos {

std::string plain_age(long long seconds) {
    constexpr long long k_minute = 60;
    constexpr long long k_hour = 60 * k_minute;
    constexpr long long k_day = 24 * k_hour;
    seconds = std::max(0LL, seconds);
    if (seconds < 2 * k_minute) {
        return format("{} s", seconds);
    }
    if (seconds < 2 * k_hour) {
        return format("{} min", seconds / k_minute);
    }
    if (seconds < 2 * k_day) {
        return format("{} h", seconds / k_hour);
    }
    return format("{} days", seconds / k_day);
}

} // namespace losos
