#include "contacts.h"

#include "core/liveness.h"

namespace losos {

Change Contacts::follow(const Rows& rows, MonotonicTime now) {
    auto change = Change::unchanged;
    auto known = m_presences.begin();
    for (const auto& [id, _] : rows) {
        if (id.is_relayed()) {
            m_spokes.try_emplace(*id.spoke(), now);
            continue;
        }
        while (known != m_presences.end() && known->first < id) {
            known = m_presences.erase(known);
            change = Change::changed;
        }
        if (known == m_presences.end() || known->first != id) {
            known = m_presences.emplace_hint(known, id, std::make_shared<Presence>(now));
            change = Change::changed;
        }
        ++known;
    }
    if (known != m_presences.end()) {
        m_presences.erase(known, m_presences.end());
        change = Change::changed;
    }
    return change;
}

void Contacts::tenant_heard(const RowId& id, const PassUpdate& pass, MonotonicTime now) {
    if (const auto known = m_presences.find(id); known != m_presences.end()) {
        known->second->heard(now);
        known->second->update_pass(pass);
    }
}

void Contacts::spoke_heard(const DnsLabel& spoke, MonotonicTime now) {
    m_spokes.insert_or_assign(spoke, now);
}

void Contacts::forgive_all(Duration lateness, MonotonicTime now) {
    for (const auto& [_, presence] : m_presences) {
        presence->heard(forgive(presence->last_contact(), lateness, now));
    }
    for (auto& [_, contact] : m_spokes) {
        contact = forgive(contact, lateness, now);
    }
}

std::vector<MonotonicTime> Contacts::last_of(const Rows& rows) const {
    std::vector<MonotonicTime> moments;
    moments.reserve(rows.size());
    auto presence = m_presences.begin();
    for (const auto& [id, _] : rows) {
        if (const auto spoke = id.spoke()) {
            const auto contact = m_spokes.find(*spoke);
            moments.push_back(contact == m_spokes.end() ? m_started : contact->second);
            continue;
        }
        // Both are in the same order, so ten thousand rows need no search each.
        while (presence != m_presences.end() && presence->first < id) {
            ++presence;
        }
        const bool known = presence != m_presences.end() && presence->first == id;
        moments.push_back(known ? presence->second->last_contact() : m_started);
    }
    return moments;
}

std::map<DnsLabel, HeardIdleness>
Contacts::idleness_of(const std::map<DnsLabel, ComputeWindow>& members) const {
    std::map<DnsLabel, HeardIdleness> heard;
    for (const auto& [member, _] : members) {
        const auto presence = m_presences.find(RowId::direct(member));
        if (presence != m_presences.end()) {
            heard.emplace_hint(heard.end(), member, presence->second->idleness());
        }
    }
    return heard;
}

std::map<RowId, RelayPass> Contacts::passes() const {
    std::map<RowId, RelayPass> passes;
    for (const auto& [id, presence] : m_presences) {
        if (auto pass = presence->pass()) {
            passes.emplace_hint(passes.end(), id, *std::move(pass));
        }
    }
    return passes;
}

} // namespace losos
