// When the owner of every row was last heard: the tenant itself, or the spoke that relays a box.
// And the passes tenants showed.
#pragma once

#include "caller_table.h"

#include "base/file.h"
#include "core/registry.h"

#include <map>
#include <vector>

namespace losos {

/// The rows of an edge.
using Rows = std::map<RowId, RegistryRow>;

/// Belongs to the reconciler; the presences in it are shared with the API's threads.
class Contacts {
public:
    explicit Contacts(MonotonicTime started) : m_started(started) {}

    /// Forgets tenants without a row, and counts those it has not met as heard `now`. Says whether
    /// there was any of either.
    Change follow(const Rows& rows, MonotonicTime now);
    /// A registered tenant was heard; nothing happens for anybody else.
    void tenant_heard(const RowId& id, const PassUpdate& pass, MonotonicTime now);
    void spoke_heard(const DnsLabel& spoke, MonotonicTime now);
    /// Forgives everybody a time in which nobody listened.
    void forgive_all(Duration lateness, MonotonicTime now);

    /// One moment for each row, in the order of the rows.
    std::vector<MonotonicTime> last_of(const Rows& rows) const;
    std::map<RowId, RelayPass> passes() const;
    /// What those of `members` that are registered here last said of their processors.
    std::map<DnsLabel, HeardIdleness>
    idleness_of(const std::map<DnsLabel, ComputeWindow>& members) const;
    const PresenceMap& presences() const { return m_presences; }

private:
    MonotonicTime m_started;
    PresenceMap m_presences;
    std::map<DnsLabel, MonotonicTime> m_spokes;
};

} // namespace losos
