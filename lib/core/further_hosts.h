// Under which names a box is served beside its own hostname: its name in the zone, and the custom
// domains that are live. None is offered to anybody, and above all not to a certificate authority,
// before it is right.
#pragma once

#include "core/domain_table.h"
#include "core/route_plan.h"

namespace losos {

/// The names of the boxes that are vouched for: each one's name in the zone, then its domains.
FurtherHosts hosts_of_boxes(const Vouchers& vouchers, const DnsName& zone,
                            const FurtherHosts& domains);

} // namespace losos
