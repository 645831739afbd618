#include "core/enrolment.h"

#include <algorithm>

namespace losos {

HostnameVerdict check_hostname(const Roster& roster, const std::vector<DnsName>& reserved,
                               const DnsLabel& id, const DnsName& hostname) {
    const bool kept_back = std::find(reserved.begin(), reserved.end(), hostname) != reserved.end();
    const bool taken = std::any_of(roster.begin(), roster.end(), [&](const auto& entry) {
        return entry.first != id && entry.second.hostname == hostname;
    });
    return kept_back || taken ? HostnameVerdict::held : HostnameVerdict::free;
}

EnrolmentVerdict check_enrolment(const Roster& roster, const std::vector<DnsName>& reserved,
                                 const DnsLabel& id, const DnsName& hostname, std::size_t limit) {
    if (check_hostname(roster, reserved, id, hostname) == HostnameVerdict::held) {
        return EnrolmentVerdict::hostname_held;
    }
    const auto enrolled = std::count_if(roster.begin(), roster.end(), [](const auto& entry) {
        return entry.second.kind == TenantKind::enrolled;
    });
    return static_cast<std::size_t>(enrolled) >= limit ? EnrolmentVerdict::full
                                                       : EnrolmentVerdict::enrol;
}

} // namespace losos
