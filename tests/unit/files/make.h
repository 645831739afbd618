// The values file contracts hold besides the core's plain ones.
#pragma once

#include "base/crypto.h"
#include "core/network.h"
#include "core/rathole_config.h"

#include "unit/core/make.h"

#include <string>
#include <string_view>

namespace losos::make {

inline HttpUrl url(std::string_view text) {
    return sound(HttpUrl::parse(text));
}

inline Endpoint endpoint(std::string_view text) {
    return sound(Endpoint::parse(text));
}

/// The key whose bytes are all `byte`.
inline NoiseKey noise_key(char byte) {
    return sound(NoiseKey::parse(base64_encode(std::string(32, byte))));
}

} // namespace losos::make
