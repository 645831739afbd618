#include "core/further_hosts.h"

#include "core/domain_proof.h"

#include <set>
#include <utility>

namespace losos {

FurtherHosts hosts_of_boxes(const Vouchers& vouchers, const DnsName& zone,
                            const FurtherHosts& domains) {
    FurtherHosts hosts;
    std::set<BoxUuid> named;
    for (const auto& [box, voucher] : vouchers) {
        auto& names = hosts[box];
        // Of boxes with one UUID the first by id has the name, whichever of them is here.
        const bool is_first = named.insert(voucher.box_uuid).second;
        if (auto name = zone_name_of(voucher.box_uuid, zone); name && is_first) {
            names.push_back(*std::move(name));
        }
        const auto own = domains.find(box);
        if (own != domains.end()) {
            names.insert(names.end(), own->second.begin(), own->second.end());
        }
    }
    return hosts;
}

} // namespace losos
