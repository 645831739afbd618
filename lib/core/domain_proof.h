// With what the owner of a domain says that a box may serve it: a text at a name under the domain,
// and the box's own name in the edge's zone, to which the domain points.
#pragma once

#include "core/domain_name.h"
#include "core/vouching.h"

#include <string>
#include <string_view>

namespace losos {

/// The label of a box in the edge's zone, 16 hex digits.
DnsLabel zone_label_of(const BoxUuid& uuid);

/// The name of a box in a zone; fails when the zone is too long for another label.
Result<DnsName> zone_name_of(const BoxUuid& uuid, const DnsName& zone);

/// Where the proof is looked for. No host has such a name, so it is no DnsName.
std::string proof_name_of(const CustomDomain& domain);

/// What the TXT record there has to say for that very box of that very account.
std::string proof_text_of(const CustomDomain& domain, const Voucher& voucher);

} // namespace losos
