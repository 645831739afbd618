#include "domain_options.h"

#include "base/format.h"

#include <string_view>
#include <utility>

namespace losos {

namespace {

/// What `parse` makes of each part of a list with commas.
template <class T, class Parse>
Result<std::vector<T>> parse_list(std::string_view text, Parse parse) {
    std::vector<T> values;
    for (;;) {
        const auto comma = text.find(',');
        TRY_ASSIGN(auto value, parse(text.substr(0, comma)));
        values.push_back(std::move(value));
        if (comma == std::string_view::npos) {
            return values;
        }
        text.remove_prefix(comma + 1);
    }
}

Result<std::vector<DnsName>> parse_names(std::string_view text) {
    return parse_list<DnsName>(text, DnsName::parse);
}

Result<std::vector<IpAddress>> parse_v4(std::string_view text) {
    return parse_list<IpAddress>(text, [](std::string_view part) -> Result<IpAddress> {
        TRY_ASSIGN(auto address, IpAddress::parse(part));
        if (address.is_v6()) {
            return fail(Errc::usage, "{} is no IPv4 address", address.text());
        }
        return address;
    });
}

Result<std::vector<IpAddress>> parse_v6(std::string_view text) {
    return parse_list<IpAddress>(text, [](std::string_view part) -> Result<IpAddress> {
        TRY_ASSIGN(auto address, IpAddress::parse(part));
        if (!address.is_v6()) {
            return fail(Errc::usage, "{} is no IPv6 address", address.text());
        }
        return address;
    });
}

/// A zone leaves room for the label of a box.
Result<DnsName> parse_zone(std::string_view text) {
    constexpr std::size_t k_longest = 236;
    TRY_ASSIGN(auto zone, DnsName::parse(text));
    if (zone.text().size() > k_longest) {
        return fail(Errc::usage, "a zone has at most {} characters", k_longest);
    }
    return zone;
}

/// As mail writes it or as a zone does.
Result<DnsName> parse_hostmaster(std::string_view text) {
    std::string name(text);
    if (const auto at = name.find('@'); at != std::string::npos) {
        name[at] = '.';
    }
    return DnsName::parse(name);
}

} // namespace

void add_domain_flags(Command& command, DomainOptions& options) {
    command.optional("--dns-zone", "NAME",
                     "the zone with a name for each box; not given, no custom domains are offered",
                     options.zone, parse_zone);
    command.optional("--dns-zone-file", "FILE", "where the zone goes, for Knot to serve",
                     options.zone_file, parse_path);
    command.optional("--dns-nameservers", "NAME,...", "the zone's name servers, the primary first",
                     options.nameservers, parse_names);
    command.optional("--dns-hostmaster", "NAME",
                     "who minds the zone; not given, hostmaster in the zone itself",
                     options.hostmaster, parse_hostmaster);
    command.optional("--dns-ipv4", "ADDRESS,...", "this edge's IPv4 addresses", options.ipv4,
                     parse_v4);
    command.optional("--dns-ipv6", "ADDRESS,...", "this edge's IPv6 addresses", options.ipv6,
                     parse_v6);
    command.optional("--dns-check-url", "URL",
                     "the resolver that is asked for proofs, DNS over HTTPS in JSON; not given, no "
                     "domain goes live",
                     options.check_url, DnsCheckUrl::parse);
    command.value("--domain-check-waiting", "DURATION", "how often a waiting domain is looked up",
                  options.check_waiting, parse_duration, "30s");
    command.value("--domain-check-live", "DURATION", "how often a live domain is looked up",
                  options.check_live, parse_duration, "1h");
    command.optional("--domains-state-file", "FILE",
                     "the claims, kept over restarts; not given, domains.json beside the registry",
                     options.state_file, parse_path);
    command.optional("--vouch-file", "FILE",
                     "the boxes that are vouched for; not given, no box may have a domain",
                     options.vouch_file, parse_path);
}

Result<void> check_domain_options(const DomainOptions& options) {
    if (!options.zone_file) {
        return {};
    }
    if (!options.zone) {
        return fail(Errc::usage, "--dns-zone-file needs --dns-zone");
    }
    if (!options.nameservers) {
        return fail(Errc::usage, "--dns-zone-file needs --dns-nameservers: a zone without a name "
                                 "server is none");
    }
    if (!options.ipv4 && !options.ipv6) {
        return fail(Errc::usage, "--dns-zone-file needs --dns-ipv4 or --dns-ipv6: every name in "
                                 "the zone leads to this edge's addresses");
    }
    return {};
}

std::vector<IpAddress> addresses_of(const DomainOptions& options) {
    std::vector<IpAddress> addresses;
    for (const auto& family : {options.ipv4, options.ipv6}) {
        if (family) {
            addresses.insert(addresses.end(), family->begin(), family->end());
        }
    }
    return addresses;
}

std::optional<ZoneRules> zone_rules_of(const DomainOptions& options) {
    if (!options.zone || !options.zone_file || !options.nameservers) {
        return std::nullopt;
    }
    auto hostmaster = options.hostmaster;
    if (!hostmaster) {
        auto usual = DnsName::parse("hostmaster." + options.zone->text());
        hostmaster = usual ? *std::move(usual) : *options.zone;
    }
    return ZoneRules{*options.zone, *options.nameservers, *std::move(hostmaster),
                     addresses_of(options)};
}

} // namespace losos
