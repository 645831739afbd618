#include "report.h"

#include "base/append.h"
#include "base/log.h"
#include "core/uplink_record.h"
#include "io/clock.h"

#include <utility>

namespace losos {

PassReport::PassReport(std::string path, const UplinkConfig& uplink) : m_path(std::move(path)) {
    auto before = uplink_status_file::load(m_path);
    if (!before) {
        log(LogLevel::warning, "{}; this pass writes it anew", before.error().what);
    }
    const auto hub = uplink.registrar_url.text();
    if (before && *before && (*before)->hub == hub && (*before)->id == uplink.id.text()) {
        m_status = **std::move(before);
    }
    m_status.hub = hub;
    m_status.id = uplink.id.text();
    m_status.held_back.reset();
    m_status.error.reset();
}

void PassReport::hold_back(const std::string& reason) {
    log(LogLevel::warning, "nothing is sent to the hub: {}", reason);
    m_status.held_back = reason;
}

void PassReport::leave_out(const std::vector<LiveBox>& boxes) {
    m_status.left_out.clear();
    std::string names;
    for (const auto& box : boxes) {
        m_status.left_out.push_back(box.id);
        append_item(names, box.id.text());
    }
    if (!boxes.empty()) {
        log(LogLevel::warning, "a hub takes {} boxes from one gateway; not handed on: {}",
            k_relay_max, names);
    }
}

void PassReport::take_answer(const RelayAnswer& answer) {
    const auto news = compare_refusals(m_status.refused, answer);
    for (const auto& box : news.refused) {
        log(LogLevel::warning, "the hub refuses {}: {}", box.id, box.reason);
    }
    for (const auto& id : news.no_longer) {
        log(LogLevel::notice, "the hub refuses {} no longer", id);
    }
    m_status.accepted = answer.accepted;
    m_status.refused = answer.refused;
    m_status.answered_at = unix_now();
}

void PassReport::store(const Result<void>& outcome) {
    m_status.at = unix_now();
    if (!outcome) {
        m_status.error = outcome.error().what;
    }
    if (const auto stored = uplink_status_file::store(m_path, m_status); !stored) {
        log(LogLevel::warning, "{}", stored.error().what);
    }
}

} // namespace losos
