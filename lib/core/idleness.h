// Whether a box has processors to spare.
#pragma once

#include <optional>
#include <string_view>

namespace losos {

/// A box is idle while its load over the last minute is below 0.3 for each processor. `loadavg` is
/// the text of the kernel's loadavg file; nullopt when it makes no sense: an unknown is never idle.
std::optional<bool> judge_idle(std::string_view loadavg, long processors);

} // namespace losos
