// Relay passes in tests: a hub's key, another one's, and moments a whole number of hours apart.
#pragma once

#include "core/relay_bindings.h"

#include "unit/core/make.h"

#include <string>
#include <string_view>

namespace losos::make {

/// Hour 500,000 has just begun.
inline constexpr UnixTime k_hour_500000{1'800'000'000};

inline UnixTime at_hour(long long hour) {
    return UnixTime(hour * 3600);
}

inline RelayPassKey pass_key(char digit = '7') {
    return sound(RelayPassKey::parse(std::string(64, digit)));
}

/// The pass that hub makes for a box in that hour.
inline RelayPass true_pass(std::string_view box, long long hour) {
    return pass_key().pass_for(label(box), at_hour(hour));
}

inline ListedPass with_pass(std::string_view box, long long hour) {
    return {label(box), true_pass(box, hour), false};
}

inline ListedPass without_pass(std::string_view box) {
    return {label(box), std::nullopt, false};
}

inline Binding binding(std::string_view spoke, long long hour) {
    return {label(spoke), PassHour(hour)};
}

} // namespace losos::make
