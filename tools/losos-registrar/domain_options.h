// The flags of `losos-registrar serve` about custom domains and the zone (losos-custom-domains(7)).
#pragma once

#include "base/duration.h"
#include "base/options.h"
#include "core/dns_json.h"
#include "core/domain_table.h"
#include "core/zone_text.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

struct DomainOptions {
    std::optional<DnsName> zone;
    std::optional<std::string> zone_file;
    std::optional<std::vector<DnsName>> nameservers;
    std::optional<DnsName> hostmaster;
    std::optional<std::vector<IpAddress>> ipv4;
    std::optional<std::vector<IpAddress>> ipv6;
    std::optional<DnsCheckUrl> check_url;
    Duration check_waiting{};
    Duration check_live{};
    std::optional<std::string> state_file;
    std::optional<std::string> vouch_file;
};

/// Binds the flags to `options`.
void add_domain_flags(Command& command, DomainOptions& options);

/// Fails with Errc::usage when flags contradict each other or one is missing that another needs.
Result<void> check_domain_options(const DomainOptions& options);

/// The edge's own addresses, IPv4 first.
std::vector<IpAddress> addresses_of(const DomainOptions& options);

/// What the zone file says of the edge; nullopt where there is none to write.
std::optional<ZoneRules> zone_rules_of(const DomainOptions& options);

} // namespace losos
