#include "call_scope.h"

#include <algorithm>
#include <iterator>
#include <variant>

namespace losos {

const std::string& caller_of(const StateCall& call) {
    return std::visit([](const auto& any) -> const std::string& { return any.appliance_id; }, call);
}

bool belongs_to(const std::string& caller, const RowId& row) {
    return row.text() == caller || (row.is_relayed() && row.spoke()->text() == caller);
}

bool rows_unchanged(const StateCall& call, const std::map<RowId, RegistryRow>& on_disk,
                    const EdgeState& before, const EdgeState& after) {
    const auto& id = caller_of(call);
    const auto select = [&](const std::map<RowId, RegistryRow>& all) {
        std::map<RowId, RegistryRow> rows;
        std::copy_if(all.begin(), all.end(), std::inserter(rows, rows.end()),
                     [&](const auto& entry) { return belongs_to(id, entry.first); });
        return rows;
    };
    const auto known = [&](const EdgeState& state) {
        const auto label = DnsLabel::parse(id);
        return label && state.roster.contains(*label);
    };
    return select(on_disk) == select(after.rows) && known(before) == known(after);
}

bool window_unchanged(const StateCall& call, const Registry& on_disk, const EdgeState& before,
                      const EdgeState& after) {
    if (!std::holds_alternative<ClusterJoinCall>(call)) {
        return true;
    }
    const auto select = [&](const auto& all) {
        const auto id = DnsLabel::parse(caller_of(call));
        const auto window = id ? all.find(*id) : all.end();
        return window == all.end() ? std::nullopt : std::optional(window->second);
    };
    const auto now = select(after.compute_windows);
    return select(on_disk.compute_windows) == now && select(before.compute_windows) == now;
}

bool bindings_unchanged(const StateCall& call, const Bindings& on_disk, const EdgeState& before,
                        const EdgeState& after) {
    if (!std::holds_alternative<RelayCall>(call)) {
        return true;
    }
    const auto select = [&](const Bindings& all) {
        Bindings held;
        std::copy_if(
            all.begin(), all.end(), std::inserter(held, held.end()),
            [&](const auto& entry) { return entry.second.spoke.text() == caller_of(call); });
        return held;
    };
    const auto now = select(after.bindings);
    return select(on_disk) == now && select(before.bindings) == now;
}

} // namespace losos
