#include "core/port_pool.h"

namespace losos {

PortPool::PortPool(const PortRange& range, const std::map<RowId, RegistryRow>& rows,
                   const std::map<Port, RowId>& resting)
    : m_range(range), m_resting(resting), m_lowest_candidate(range.first().number()) {
    for (const auto& [id, row] : rows) {
        m_used.insert(row.port);
    }
    for (const auto& [port, id] : resting) {
        m_resting_by_id[id].insert(port);
    }
}

std::optional<Port> PortPool::take(const RowId& id) {
    if (const auto own = take_own_resting(id)) {
        return own;
    }
    for (; m_lowest_candidate <= m_range.last().number(); ++m_lowest_candidate) {
        const auto port = Port::from_number(m_lowest_candidate).value();
        if (!m_resting.contains(port) && m_used.insert(port).second) {
            return port;
        }
    }
    return std::nullopt;
}

std::optional<Port> PortPool::take_own_resting(const RowId& id) {
    const auto own = m_resting_by_id.find(id);
    if (own == m_resting_by_id.end()) {
        return std::nullopt;
    }
    for (const auto port : own->second) {
        // A narrower range or a faulty file may leave resting ports that are nobody's to have.
        if (m_range.contains(port) && m_used.insert(port).second) {
            m_resting.erase(port);
            own->second.erase(port);
            return port;
        }
    }
    return std::nullopt;
}

void PortPool::release(Port port, const RowId& id) {
    m_used.erase(port);
    m_resting.insert_or_assign(port, id);
    m_resting_by_id[id].insert(port);
}

} // namespace losos
