#include "roster_source.h"

#include "base/format.h"
#include "files/document.h"
#include "files/enrolled_dir.h"
#include "files/tenants_file.h"
#include "files/token_file.h"

namespace losos {

Result<RosterSource> RosterSource::open(std::optional<std::string> tenants_file,
                                        std::optional<std::string> enrol_dir,
                                        std::optional<DnsName> own_host) {
    RosterSource source(std::move(tenants_file), std::move(enrol_dir), std::move(own_host));
    if (source.m_tenants_file) {
        TRY(source.read_tenants());
    }
    if (source.m_enrol_dir) {
        TRY(source.read_enrolled());
    }
    source.refresh_tokens();
    source.merge();
    return source;
}

Result<void> RosterSource::read_tenants() {
    m_tenants_stamp = stamp_file(*m_tenants_file);
    TRY_ASSIGN(m_listed, document::existing(tenants_file::load(*m_tenants_file), *m_tenants_file,
                                            "write it, or start without --tenants-file"));
    m_hostname_faults = hostname_faults(m_listed.tenants, m_own_host, *m_tenants_file);
    return {};
}

Result<void> RosterSource::read_enrolled() {
    const auto stamps_before = enrolled_stamps();
    TRY_ASSIGN(auto loaded, enrolled_dir::load(*m_enrol_dir));
    m_enrolled = std::move(loaded.tenants);
    m_enrolled_faults = std::move(loaded.faults);
    m_enrolled_stamps = enrolled_stamps();
    if (!stamps_before.empty() && stamps_before.front() != m_enrolled_stamps.front()) {
        m_enrolled_stamps.clear();
    }
    return {};
}

std::vector<std::optional<FileStamp>> RosterSource::enrolled_stamps() const {
    std::vector<std::optional<FileStamp>> stamps{
        stamp_file(enrolled_dir::tenants_path(*m_enrol_dir))};
    for (const auto& enrolled : m_enrolled) {
        stamps.push_back(stamp_file(enrolled_dir::token_path(*m_enrol_dir, enrolled.tenant.id)));
    }
    return stamps;
}

bool RosterSource::refresh_tokens() {
    bool changed = false;
    std::map<std::string, CachedToken> tokens;
    m_token_faults.clear();
    const auto note_fault = [this](const ListedTenant& tenant, const CachedToken& cached) {
        if (!cached.token) {
            m_token_faults.push_back(
                format("tenant \"{}\" is refused: {}", tenant.id.text(), cached.fault));
        }
    };
    for (const ListedTenant& tenant : m_listed.tenants) {
        const auto stamp = stamp_file(tenant.token_file);
        const auto known = m_tokens.find(tenant.token_file);
        if (known != m_tokens.end() && stamp && known->second.stamp == stamp) {
            note_fault(tenant, known->second);
            tokens.emplace(*known);
            continue;
        }
        CachedToken read{stamp, std::nullopt, {}};
        if (auto token = token_file::load(tenant.token_file)) {
            read.token = *std::move(token);
        } else {
            read.fault = std::move(token).error().what;
        }
        changed = changed || known == m_tokens.end() || known->second.fault != read.fault ||
                  !(known->second.token && read.token && known->second.token->same_as(*read.token));
        note_fault(tenant, read);
        tokens.insert_or_assign(tenant.token_file, std::move(read));
    }
    changed = changed || tokens.size() != m_tokens.size();
    m_tokens = std::move(tokens);
    return changed;
}

void RosterSource::merge() {
    std::vector<ListedWithToken> listed;
    listed.reserve(m_listed.tenants.size());
    for (const ListedTenant& tenant : m_listed.tenants) {
        listed.push_back({tenant, m_tokens.at(tenant.token_file).token});
    }
    m_roster = merge_roster(listed, m_enrolled);
}

Change RosterSource::refresh() {
    bool changed = false;
    if (m_tenants_file && (!m_tenants_stamp || stamp_file(*m_tenants_file) != m_tenants_stamp)) {
        const auto read = read_tenants();
        m_tenants_fault = read ? "" : read.error().what;
        changed = changed || read.has_value();
    }
    if (m_enrol_dir && (m_enrolled_stamps.empty() || enrolled_stamps() != m_enrolled_stamps)) {
        changed = reread_enrolled() || changed;
    }
    changed = refresh_tokens() || changed;
    if (!changed) {
        return Change::unchanged;
    }
    merge();
    return Change::changed;
}

Change RosterSource::refresh_enrolled() {
    const bool is_known = !m_enrol_dir || (!m_enrolled_stamps.empty() &&
                                           stamp_file(enrolled_dir::tenants_path(*m_enrol_dir)) ==
                                               m_enrolled_stamps.front());
    if (is_known || !reread_enrolled()) {
        return Change::unchanged;
    }
    merge();
    return Change::changed;
}

bool RosterSource::reread_enrolled() {
    const auto read = read_enrolled();
    m_enrolled_fault = read ? "" : read.error().what;
    return read.has_value();
}

std::vector<std::string> RosterSource::faults() const {
    std::vector<std::string> faults;
    for (const auto* fault : {&m_tenants_fault, &m_enrolled_fault}) {
        if (!fault->empty()) {
            faults.push_back(*fault + "; the last good list stays in force");
        }
    }
    for (const FaultyTenant& tenant : m_listed.faulty) {
        faults.push_back(
            format("{} in {} is refused: {}", tenant.name, *m_tenants_file, tenant.fault));
    }
    for (const auto* more : {&m_hostname_faults, &m_token_faults, &m_enrolled_faults}) {
        faults.insert(faults.end(), more->begin(), more->end());
    }
    return faults;
}

void RosterSource::add_watches(WatchList& list) const {
    if (m_tenants_file) {
        list.add_file(*m_tenants_file);
    }
    if (m_enrol_dir) {
        list.add_directory(*m_enrol_dir);
    }
    for (const auto& [path, _] : m_tokens) {
        list.add_file(path);
    }
}

} // namespace losos
