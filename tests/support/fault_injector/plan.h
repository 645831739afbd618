// What is to happen at which step. The test writes it into a file and may replace it while the
// traced program runs; a new plan counts the steps from one again.
#pragma once

#include <optional>
#include <string>

namespace faults {

enum class Action { count, kill_before, kill_after, fail_one, fail_from };

/// One line: `<name> <action> <step> <errno>`.
struct Plan {
    std::string name;
    Action action = Action::count;
    long step = 0;
    int error_number = 0;
};

/// nullopt when the file cannot be read or is no plan.
std::optional<Plan> load_plan(const std::string& path);

/// What befalls step number `step` under the plan; nullopt when it is only counted.
std::optional<Action> fate_of(const Plan& plan, long step);

} // namespace faults
