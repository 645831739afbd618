#include "plan.h"

#include <fstream>
#include <map>

namespace faults {

std::optional<Plan> load_plan(const std::string& path) {
    static const std::map<std::string, Action> k_actions{
        {"count", Action::count},           {"kill-before", Action::kill_before},
        {"kill-after", Action::kill_after}, {"fail", Action::fail_one},
        {"fail-from", Action::fail_from},
    };
    std::ifstream file(path);
    Plan plan;
    std::string action;
    if (!(file >> plan.name >> action >> plan.step >> plan.error_number) ||
        !k_actions.contains(action)) {
        return std::nullopt;
    }
    plan.action = k_actions.at(action);
    return plan;
}

std::optional<Action> fate_of(const Plan& plan, long step) {
    const bool hit = plan.action == Action::fail_from ? step >= plan.step : step == plan.step;
    return hit && plan.action != Action::count ? std::optional(plan.action) : std::nullopt;
}

} // namespace faults
