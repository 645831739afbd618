#include "core/further_hosts.h"

#include "core/domain_proof.h"

#include <utility>

namespace losos {

FurtherHosts hosts_of_boxes(const Vouchers& vouchers, const DnsName& zone,
                            const FurtherHosts& domains) {
    FurtherHosts hosts;
    for (const auto& [box, voucher] : vouchers) {
        auto& names = hosts[box];
        if (auto name = zone_name_of(voucher.box_uuid, zone)) {
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
