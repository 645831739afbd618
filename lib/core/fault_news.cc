#include "core/fault_news.h"

#include <string_view>

namespace losos {

namespace {

std::string_view object_of(std::string_view fault) {
    return fault.substr(0, fault.find(": "));
}

} // namespace

FaultNews compare_faults(const std::set<std::string>& before, const std::set<std::string>& now) {
    FaultNews news;
    std::set<std::string_view> standing;
    for (const auto& fault : now) {
        standing.insert(object_of(fault));
        if (!before.contains(fault)) {
            news.arrived.push_back(fault);
        }
    }
    for (const auto& fault : before) {
        if (!standing.contains(object_of(fault))) {
            news.gone.push_back(fault);
        }
    }
    return news;
}

} // namespace losos
