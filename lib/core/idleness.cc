#include "core/idleness.h"

#include <charconv>

namespace losos {

std::optional<bool> judge_idle(std::string_view loadavg, long processors) {
    constexpr double k_idle_load = 0.3;
    double load = 0;
    const auto [stop, fault] =
        std::from_chars(loadavg.data(), loadavg.data() + loadavg.size(), load);
    const auto length = static_cast<std::size_t>(stop - loadavg.data());
    const bool is_number =
        fault == std::errc{} && length < loadavg.size() && loadavg[length] == ' ' && load >= 0;
    if (!is_number || processors < 1) {
        return std::nullopt;
    }
    return load < k_idle_load * static_cast<double>(processors);
}

} // namespace losos
