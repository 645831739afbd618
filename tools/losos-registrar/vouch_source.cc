#include "vouch_source.h"

#include "base/format.h"
#include "base/utf8.h"
#include "files/vouch_file.h"

namespace losos {

void VouchSource::refresh() {
    if (!m_path) {
        return;
    }
    const auto stamp = stamp_file(*m_path);
    if (m_was_read && stamp && stamp == m_stamp) {
        return;
    }
    m_stamp = stamp;
    m_was_read = true;
    m_faults.clear();
    const auto loaded = vouch_file::load(*m_path);
    if (!loaded) {
        m_faults.push_back(loaded.error().what +
                           "; until then nobody new is vouched for, and nobody loses a domain");
        return;
    }
    if (!*loaded) {
        m_faults.push_back(format("{} is missing, so nobody new is vouched for; losos-registrar "
                                  "vouch set makes it",
                                  *m_path));
        return;
    }
    m_vouchers = vouchers_of(**loaded);
    for (const SharedUuid& shared : shared_uuids(m_vouchers)) {
        m_faults.push_back(format("{}: {}", *m_path, describe(shared)));
    }
    for (const auto& row : (*loaded)->faulty) {
        m_faults.push_back(
            format("entry {} of {} vouches for nobody: {}", in_quotes(row.id), *m_path, row.fault));
    }
}

void VouchSource::add_watches(WatchList& list) const {
    if (m_path) {
        list.add_file(*m_path);
    }
}

} // namespace losos
