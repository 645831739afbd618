#include "caller_table.h"

#include <utility>

namespace losos {

void Presence::heard(MonotonicTime when) {
    auto known = m_last_contact.load();
    while (known < when.count() && !m_last_contact.compare_exchange_weak(known, when.count())) {
    }
}

bool Presence::update_pass(const PassUpdate& update) {
    if (update.what == PassUpdate::What::leave) {
        return false;
    }
    return m_pass.with([&](std::optional<RelayPass>& pass) {
        if (pass == update.pass) {
            return false;
        }
        pass = update.pass;
        return true;
    });
}

bool Presence::update_idle(std::optional<bool> idle, MonotonicTime when) {
    return m_idleness.with([&](HeardIdleness& known) {
        return std::exchange(known, {idle, when}).idle != idle;
    });
}

CallerTable::CallerTable(const Roster& roster, const PresenceMap& presences) {
    m_rows.reserve(roster.size());
    for (const auto& [id, entry] : roster) {
        Row row;
        row.is_member = entry.cluster;
        if (entry.token) {
            row.token = entry.token->digest();
        }
        if (const auto presence = presences.find(RowId::direct(id)); presence != presences.end()) {
            row.presence = presence->second;
        }
        m_rows.emplace(id.text(), std::move(row));
    }
}

CallerTable::Caller CallerTable::find(const std::string& id, const std::string& token) const {
    static const Digest k_nobody = digest_of("");
    const auto presented = Token::parse(token);
    const auto row = m_rows.find(id);
    const bool known = row != m_rows.end();
    const Digest& expected = known && row->second.token ? *row->second.token : k_nobody;
    const Digest shown = presented ? presented->digest() : digest_of(token);
    const bool equal = equal_in_constant_time(shown, expected);
    if (!known) {
        return {CallerVerdict::unknown, nullptr, false};
    }
    if (!equal || !presented || !row->second.token) {
        return {CallerVerdict::rejected, nullptr, false};
    }
    return {CallerVerdict::accepted, row->second.presence, row->second.is_member};
}

} // namespace losos
