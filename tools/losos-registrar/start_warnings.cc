#include "start_warnings.h"

#include "base/format.h"
#include "base/log.h"
#include "core/address_families.h"
#include "core/domain_name.h"
#include "io/host.h"

#include <algorithm>

namespace losos {

namespace {

/// What rathole's server holds open for one service, with room to spare.
constexpr long long k_descriptors_per_service = 16;

void find_dark_families(const ServeOptions& options, std::vector<std::string>& warnings) {
    const auto network = read_host_network();
    const HostFamilies host{network.has_v4, network.has_v6, network.bind_v6_only};
    std::vector<DarkFamily> found;
    const auto look = [&](std::string_view flag, const SocketAddress& address, V6Socket socket) {
        if (auto dark = find_dark_family(flag, address, socket, host)) {
            found.push_back(*std::move(dark));
        }
    };
    look("--listen", *options.listen, V6Socket::takes_v4);
    if (options.rathole.config) {
        look("--rathole-bind-addr", {*options.rathole.bind_address, *options.rathole.bind_port},
             V6Socket::as_the_kernel_says);
    }
    for (auto& dark : found) {
        if (dark.is_fault) {
            warnings.push_back(std::move(dark.what));
        } else {
            log(LogLevel::notice, "{}", dark.what);
        }
    }
}

/// The zone is all there is under its name: a host in it that the zone does not have is found by
/// nobody.
bool zone_hides_public_host(const ServeOptions& options) {
    const auto& zone = options.domains.zone;
    const auto& host = options.public_host;
    if (!options.domains.zone_file || !host || *host == *zone || !is_at_or_under(*host, *zone)) {
        return false;
    }
    const auto& servers = *options.domains.nameservers;
    return std::find(servers.begin(), servers.end(), *host) == servers.end();
}

/// What keeps domains that were asked for from ever being served, or the edge itself.
void warn_of_domains(const ServeOptions& options, std::vector<std::string>& warnings) {
    const auto& domains = options.domains;
    if (!domains.zone) {
        return;
    }
    if (options.lan_advertise) {
        warnings.emplace_back("--dns-zone is ignored with --lan-advertise: an edge on a LAN offers "
                              "no custom domains");
        return;
    }
    if (zone_hides_public_host(options)) {
        warnings.push_back(format("{} has no address in the zone {}, which it is in: name it in "
                                  "--dns-nameservers as well, or let the zone be another",
                                  options.public_host->text(), domains.zone->text()));
    }
    if (!domains.check_url) {
        warnings.emplace_back("no custom domain goes live: --dns-check-url is not given, so nobody "
                              "can prove one");
    }
    if (!domains.vouch_file) {
        warnings.emplace_back("no box may have a custom domain: --vouch-file is not given, so "
                              "nobody is vouched for");
    }
    if (!options.identity_cert_file) {
        warnings.emplace_back("custom domains are offered by official edges only: give "
                              "--identity-key-file and --identity-cert-file");
    }
}

} // namespace

std::vector<std::string> start_warnings(const ServeOptions& options) {
    std::vector<std::string> warnings;
    if (!options.tenants_file && !options.enrol_dir) {
        warnings.emplace_back("nobody can register: give --tenants-file, or --lan-advertise and "
                              "--enrol-dir");
    }
    if (options.lan_advertise && (options.identity_key_file || options.identity_cert_file)) {
        warnings.emplace_back("--identity-key-file and --identity-cert-file are ignored with "
                              "--lan-advertise: an edge on a LAN has no identity");
    }
    if (options.lan_advertise && options.relay_routes_file) {
        warnings.emplace_back("--relay-pass-key-file and --relay-routes-file are ignored with "
                              "--lan-advertise: an edge on a LAN has no route table");
    }
    if (options.lan_advertise && can_join(options.mesh)) {
        warnings.emplace_back("--mesh-agent-token-file and what belongs to it are ignored with "
                              "--lan-advertise: an edge on a LAN offers no mesh");
    }
    find_dark_families(options, warnings);
    warn_of_domains(options, warnings);
    if (!options.rathole.config) {
        warnings.emplace_back("no tunnel is rendered: --rathole-config is not given, so this edge "
                              "keeps names but carries no traffic");
        return warnings;
    }
    if (const auto text = ephemeral_port_range()) {
        const auto ephemeral = PortRange::parse(*text);
        if (ephemeral && ephemeral->overlaps(*options.port_range)) {
            warnings.push_back(format(
                "--port-range {} overlaps the kernel's ephemeral ports {}: an outgoing connection "
                "can take a tunnel's port; choose a range outside",
                options.port_range->text(), ephemeral->text()));
        }
    }
    const long long needed = options.port_range->size() * k_descriptors_per_service;
    const long long allowed = descriptor_limit();
    if (needed > allowed) {
        warnings.push_back(format(
            "--port-range {} has {} ports, for which rathole needs {} open files and this machine "
            "allows {}: raise LimitNOFILE= of both services to {}, or make the range smaller",
            options.port_range->text(), options.port_range->size(), needed, allowed, needed));
    }
    return warnings;
}

} // namespace losos
