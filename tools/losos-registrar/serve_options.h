// The flags of `losos-registrar serve`, which `check` shares (losos-registrar(8)).
#pragma once

#include "domain_options.h"
#include "mesh_options.h"

#include "base/duration.h"
#include "base/options.h"
#include "core/edge_state.h"
#include "core/network.h"
#include "core/serving_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// What rathole's server listens on and proves itself with; `seed` shares these flags.
struct RatholeOptions {
    std::optional<std::string> config;
    std::optional<IpAddress> bind_address;
    std::optional<Port> bind_port;
    std::optional<std::string> bootstrap_token_file;
    std::optional<std::string> noise_private_key_file;
};

struct ServeOptions {
    std::optional<SocketAddress> listen;
    std::optional<std::string> tenants_file;
    std::string registry;
    std::string run_dir;
    std::string traefik_dir;
    RatholeOptions rathole;
    std::optional<PortRange> port_range;
    Duration port_rest{};
    std::optional<std::string> noise_public_key_file;
    Duration reconcile_interval{};
    Duration heartbeat_ttl{};
    std::optional<DnsName> public_domain;
    std::optional<DnsName> public_host;
    std::vector<DnsName> reserved_hosts;
    std::string cert_resolver;
    std::optional<std::string> wildcard_resolver;
    bool lan_advertise = false;
    std::string avahi_service_file;
    std::optional<DnsName> advertise_host;
    std::optional<std::string> enrol_dir;
    long long enrol_max = 0;
    std::optional<std::string> identity_key_file;
    std::optional<std::string> identity_cert_file;
    DomainOptions domains;
    MeshOptions mesh;
    std::optional<std::string> relay_pass_key_file;
    std::optional<std::string> relay_routes_file;
};

/// Binds the flags of rathole's server to `options`.
void add_rathole_flags(Command& command, RatholeOptions& options);

/// Binds every flag of serve to `options`.
void add_serve_flags(Command& command, ServeOptions& options);

/// Fails with Errc::usage when flags contradict each other.
Result<void> check_serve_options(const ServeOptions& options);

/// The rules the flags make.
EdgeRules edge_rules_of(const ServeOptions& options);
CertificateRules certificate_rules_of(const ServeOptions& options);

/// Where the claims are kept.
std::string domains_state_file(const ServeOptions& options);

} // namespace losos
