#include "core/uplink_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace losos {
namespace {

std::map<DnsLabel, Port> ports_by_id(const std::vector<LiveBox>& boxes) {
    std::map<DnsLabel, Port> ports;
    for (const auto& box : boxes) {
        ports.emplace(box.id, box.port);
    }
    return ports;
}

/// The services of those of `rows` that are live here, in id order.
std::vector<RatholeClientService> services_of(std::vector<RowId> rows, const Token& token,
                                              const std::vector<LiveBox>& live) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const auto ports = ports_by_id(live);
    std::vector<RatholeClientService> services;
    for (auto& row : rows) {
        if (const auto port = ports.find(row.box()); port != ports.end()) {
            services.push_back(RatholeClientService{std::move(row), token, port->second});
        }
    }
    return services;
}

} // namespace

LiveVerdict judge_live_list(bool list_there, const std::optional<RegistrarPulse>& pulse,
                            std::string_view boot_id, MonotonicTime now) {
    if (!list_there) {
        return LiveVerdict::no_list;
    }
    if (!pulse) {
        return LiveVerdict::no_status;
    }
    if (pulse->boot_id != boot_id) {
        return LiveVerdict::other_boot;
    }
    // The clock is one for the whole boot, so a pulse from the future is nobody's. What little it
    // may be ahead, it was written while it was being read.
    constexpr Duration k_reading{5000};
    const bool is_in_reach = pulse->reconciled <= now + k_reading;
    return is_in_reach && now - pulse->reconciled <= pulse->heartbeat_ttl ? LiveVerdict::fresh
                                                                          : LiveVerdict::stale;
}

RelaySelection select_for_relay(const std::vector<LiveBox>& live) {
    const auto end = live.begin() + static_cast<std::ptrdiff_t>(std::min(live.size(), k_relay_max));
    return RelaySelection{{live.begin(), end}, {end, live.end()}};
}

std::vector<RatholeClientService> services_after_answer(const DnsLabel& spoke, const Token& token,
                                                        const std::vector<LiveBox>& sent,
                                                        const RelayAnswer& answer) {
    std::vector<RowId> rows;
    for (const auto& box : answer.accepted) {
        rows.push_back(RowId::relayed(spoke, box.id));
    }
    return services_of(std::move(rows), token, sent);
}

std::vector<RatholeClientService> services_without_answer(const DnsLabel& spoke, const Token& token,
                                                          const std::vector<LiveBox>& live,
                                                          const std::vector<RowId>& kept) {
    std::vector<RowId> rows;
    std::copy_if(kept.begin(), kept.end(), std::back_inserter(rows),
                 [&spoke](const RowId& row) { return row.spoke() == spoke; });
    return services_of(std::move(rows), token, live);
}

} // namespace losos
