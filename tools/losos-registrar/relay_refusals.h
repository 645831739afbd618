// What the log says of boxes that gateways may not bring: each once, for as long as it is refused.
#pragma once

#include "core/names.h"
#include "core/relay_api.h"

#include <map>
#include <vector>

namespace losos {

class RelayRefusals {
public:
    /// Logs what of a gateway's list was refused and was not refused so before.
    void tell(const DnsLabel& spoke, const std::vector<RefusedBox>& refused);

private:
    /// By gateway, what was refused of its last list.
    std::map<DnsLabel, std::vector<RefusedBox>> m_told;
};

} // namespace losos
