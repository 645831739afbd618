// What is new in a list of standing faults. Each is one sentence, and what stands before its first
// colon is what it is about.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace losos {

struct FaultNews {
    /// Faults that did not stand before, also where only their cause is another one.
    std::vector<std::string> arrived;
    /// Faults whose object has none any more.
    std::vector<std::string> gone;
};

FaultNews compare_faults(const std::set<std::string>& before, const std::set<std::string>& now);

} // namespace losos
