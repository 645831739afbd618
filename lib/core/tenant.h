// Who may call: the operator's listed tenants and the boxes open enrolment took in.
#pragma once

#include "core/names.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// One row of the operator's tenants file (tenants.json(5)).
struct ListedTenant {
    DnsLabel id;
    DnsName hostname;
    std::string token_file;
    bool cluster = false;
    bool market = false;
    std::optional<DnsName> relay_zone;
};

/// A row of the tenants file that cannot be used, and why. The others go on.
struct FaultyTenant {
    /// What a sentence calls it: its id, or its place when the id is no id and may be a secret.
    std::string name;
    std::string fault;
};

/// The tenants file, read: good rows by id, and the faulty ones.
struct TenantList {
    std::vector<ListedTenant> tenants;
    std::vector<FaultyTenant> faulty;
};

/// One box that enrolled itself, in the order of enrolment.
struct EnrolledTenant {
    DnsLabel id;
    DnsName hostname;
    friend bool operator==(const EnrolledTenant&, const EnrolledTenant&) = default;
};

} // namespace losos
