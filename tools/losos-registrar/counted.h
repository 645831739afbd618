// How many of a thing, for people.
#pragma once

#include "base/format.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace losos {

/// "1 route", "2 routes".
inline std::string counted(std::size_t count, std::string_view noun) {
    return format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace losos
