#include "core/port_pool.h"

#include <limits>

namespace losos {

namespace {

constexpr std::size_t k_port_numbers = std::numeric_limits<std::uint16_t>::max() + 1;

} // namespace

PortPool::PortPool(const PortRange& range, const std::map<RowId, RegistryRow>& rows,
                   const std::map<Port, RowId>& resting)
    : m_range(range), m_used(k_port_numbers), m_resting(resting),
      m_lowest_candidate(range.first().number()) {
    for (const auto& [id, row] : rows) {
        m_used[row.port.number()] = true;
    }
    for (const auto& [port, id] : resting) {
        m_resting_by_id[id].insert(port);
    }
}

bool PortPool::seize(Port port) {
    const bool was_free = !m_used[port.number()];
    m_used[port.number()] = true;
    return was_free;
}

std::optional<Port> PortPool::take(const RowId& id) {
    if (const auto own = take_own(id)) {
        return own;
    }
    for (; m_lowest_candidate <= m_range.last().number(); ++m_lowest_candidate) {
        const auto port = Port::from_number(m_lowest_candidate).value();
        if (!m_resting.contains(port) && seize(port)) {
            return port;
        }
    }
    return std::nullopt;
}

std::optional<Port> PortPool::take_own(const RowId& id) {
    const auto own = m_resting_by_id.find(id);
    if (own == m_resting_by_id.end()) {
        return std::nullopt;
    }
    for (const auto port : own->second) {
        // A narrower range or a faulty file may leave resting ports that are nobody's to have.
        if (m_range.contains(port) && seize(port)) {
            m_resting.erase(port);
            own->second.erase(port);
            return port;
        }
    }
    return std::nullopt;
}

void PortPool::release(Port port, const RowId& id) {
    m_used[port.number()] = false;
    m_resting.insert_or_assign(port, id);
    m_resting_by_id[id].insert(port);
}

} // namespace losos
