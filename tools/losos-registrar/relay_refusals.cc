#include "relay_refusals.h"

#include "base/log.h"
#include "base/utf8.h"

#include <algorithm>

namespace losos {

void RelayRefusals::tell(const DnsLabel& spoke, const std::vector<RefusedBox>& refused) {
    auto& told = m_told[spoke];
    for (const RefusedBox& box : refused) {
        if (std::find(told.begin(), told.end(), box) == told.end()) {
            log(LogLevel::warning, "{} may not bring {}: {}", spoke.text(), in_quotes(box.id),
                box.reason);
        }
    }
    told = refused;
}

} // namespace losos
