// Which loopback port a registration gets: its own again, or the lowest that is free.
#pragma once

#include "core/registry.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace losos {

/// Hands out ports of one range while a batch of registrations is decided.
class PortPool {
public:
    /// `rows` hold their ports, `resting` ports belong to nobody but their last holder.
    PortPool(const PortRange& range, const std::map<RowId, RegistryRow>& rows,
             const std::map<Port, RowId>& resting);

    /// The id's own resting port, or the lowest free one; nullopt when none is left.
    std::optional<Port> take(const RowId& id);
    /// The id's own resting port; nullopt when it has none.
    std::optional<Port> take_own(const RowId& id);
    /// Notes that the port is now held by nobody and rests for `id`.
    void release(Port port, const RowId& id);

private:
    /// Whether the port was free until now; it is not any more.
    bool seize(Port port);

    PortRange m_range;
    /// By port number.
    std::vector<bool> m_used;
    std::map<Port, RowId> m_resting;
    std::map<RowId, std::set<Port>> m_resting_by_id;
    /// Every port below it is used or rests: within a batch a port never becomes free again.
    int m_lowest_candidate;
};

} // namespace losos
