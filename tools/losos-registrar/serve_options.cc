#include "serve_options.h"

#include "base/format.h"
#include "files/paths.h"

#include <charconv>

namespace losos {

namespace {

Result<long long> parse_count(std::string_view text) {
    long long number = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{} || stop != end || number < 1 || number > 65535) {
        return fail(Errc::usage, "must be a number from 1 to 65535");
    }
    return number;
}

/// A resolver's name goes into Traefik's file, where nothing but a plain word may stand.
Result<std::string> parse_resolver(std::string_view text) {
    const bool plain = !text.empty() && text.size() <= 63 &&
                       text.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                           std::string_view::npos;
    if (!plain) {
        return fail(Errc::usage, "must be letters, digits, _ and - only");
    }
    return std::string(text);
}

void add_lan_flags(Command& command, ServeOptions& options) {
    command.add_switch("--lan-advertise",
                       "make this edge known on its LAN; it then asks no ACME server for anything",
                       options.lan_advertise);
    command.value("--avahi-service-file", "FILE", "the advert Avahi reads, with --lan-advertise",
                  options.avahi_service_file, parse_path, std::string(k_lan_advert));
    command.optional("--advertise-host", "NAME",
                     "the name in the advert; not given, what Avahi calls this host",
                     options.advertise_host, DnsName::parse);
    command.optional("--enrol-dir", "DIR",
                     "take in boxes nobody listed and remember them here; needs --lan-advertise",
                     options.enrol_dir, parse_path);
    command.value("--enrol-max", "COUNT", "how many boxes may enrol", options.enrol_max,
                  parse_count, "256");
}

void add_identity_flags(Command& command, ServeOptions& options) {
    command.optional("--identity-key-file", "FILE",
                     "this edge's identity key; not given, it has no identity",
                     options.identity_key_file, parse_path);
    command.optional("--identity-cert-file", "FILE",
                     "its certificate; not given, it is not official", options.identity_cert_file,
                     parse_path);
}

void add_route_flags(Command& command, ServeOptions& options) {
    command.optional("--relay-pass-key-file", "FILE",
                     "the key of relay passes, made when missing; with the next one it turns the "
                     "route table on",
                     options.relay_pass_key_file, parse_path);
    command.optional("--relay-routes-file", "FILE",
                     "which gateway holds which box, and the names routed through it",
                     options.relay_routes_file, parse_path);
}

void add_name_flags(Command& command, ServeOptions& options) {
    command.optional("--public-domain", "NAME", "the domain this edge serves, shown in its status",
                     options.public_domain, DnsName::parse);
    command.optional("--public-host", "NAME", "this edge's own name; no box may have it",
                     options.public_host, DnsName::parse);
    command.repeated("--reserved-host", "NAME", "a further name no box may have",
                     options.reserved_hosts, DnsName::parse);
    command.value("--cert-resolver", "NAME", "Traefik's certificate resolver for every router",
                  options.cert_resolver, parse_resolver, "le");
    command.optional("--wildcard-resolver", "NAME",
                     "Traefik's resolver for one wildcard certificate a relay zone",
                     options.wildcard_resolver, parse_resolver);
}

} // namespace

void add_rathole_flags(Command& command, RatholeOptions& options) {
    command.optional("--rathole-config", "FILE",
                     "rathole's server configuration; without it serve renders no tunnel",
                     options.config, parse_path);
    command.optional("--bootstrap-token-file", "FILE", "the token every tunnel client starts with",
                     options.bootstrap_token_file, parse_path);
    command.optional("--noise-private-key-file", "FILE",
                     "this edge's Noise key; not given, tunnels are plain TCP",
                     options.noise_private_key_file, parse_path);
    command.value("--rathole-bind-addr", "ADDRESS", "where rathole listens", options.bind_address,
                  IpAddress::parse, "0.0.0.0");
    command.value("--rathole-bind-port", "PORT", "where rathole listens", options.bind_port,
                  Port::parse, "2333");
}

void add_serve_flags(Command& command, ServeOptions& options) {
    command.value("--listen", "ADDRESS:PORT", "where the API listens", options.listen,
                  SocketAddress::parse, "127.0.0.1:8443");
    command.optional("--tenants-file", "FILE", "the operator's tenants", options.tenants_file,
                     parse_path);
    command.value("--registry", "FILE", "who is registered, kept over restarts", options.registry,
                  parse_path, std::string(k_registry));
    command.value("--run-dir", "DIR", "where live.json, status.json and metrics.prom go",
                  options.run_dir, parse_path, std::string(k_registrar_run_dir));
    command.value("--traefik-dir", "DIR", "Traefik's file provider's directory",
                  options.traefik_dir, parse_path, std::string(k_traefik_dir));
    add_rathole_flags(command, options.rathole);
    command.optional("--noise-public-key-file", "FILE",
                     "the public half; not given, the private one's name and .pub",
                     options.noise_public_key_file, parse_path);
    command.value("--port-range", "FIRST-LAST", "loopback ports for tunnels", options.port_range,
                  PortRange::parse, "20000-29999");
    command.value("--port-rest", "DURATION", "how long a freed port stays with its last tenant",
                  options.port_rest, parse_duration, "120s");
    command.value("--reconcile-interval", "DURATION", "how often everything is checked again",
                  options.reconcile_interval, parse_duration, "15s");
    command.value("--heartbeat-ttl", "DURATION", "how long a silent tenant is kept",
                  options.heartbeat_ttl, parse_duration, "120s");
    add_name_flags(command, options);
    add_lan_flags(command, options);
    add_identity_flags(command, options);
    add_domain_flags(command, options.domains);
    add_route_flags(command, options);
    add_mesh_flags(command, options.mesh);
}

Result<void> check_serve_options(const ServeOptions& options) {
    TRY(check_domain_options(options.domains));
    TRY(check_mesh_options(options.mesh));
    if (options.enrol_dir && !options.lan_advertise) {
        return fail(Errc::usage, "--enrol-dir needs --lan-advertise: open enrolment is for a LAN; "
                                 "give both, or list the tenants in --tenants-file");
    }
    if (options.lan_advertise && options.listen->address.is_loopback()) {
        return fail(Errc::usage,
                    "--lan-advertise with --listen {} would advertise what nobody on the LAN can "
                    "reach; listen on 0.0.0.0 or on the LAN's address",
                    options.listen->text());
    }
    if (options.noise_public_key_file && !options.rathole.noise_private_key_file) {
        return fail(Errc::usage, "--noise-public-key-file needs --noise-private-key-file");
    }
    if (options.relay_pass_key_file.has_value() != options.relay_routes_file.has_value()) {
        return fail(Errc::usage, "--relay-pass-key-file and --relay-routes-file need each other: "
                                 "the route table takes both");
    }
    return {};
}

EdgeRules edge_rules_of(const ServeOptions& options) {
    EdgeRules rules{.ports = *options.port_range,
                    .port_rest = options.port_rest,
                    .reserved = options.reserved_hosts,
                    .enrolment_open = options.enrol_dir.has_value(),
                    .enrol_max = static_cast<std::size_t>(options.enrol_max)};
    for (const auto& own_name : {options.public_host, options.advertise_host}) {
        if (own_name) {
            rules.reserved.push_back(*own_name);
        }
    }
    return rules;
}

CertificateRules certificate_rules_of(const ServeOptions& options) {
    if (options.lan_advertise) {
        return {};
    }
    return {options.cert_resolver, options.wildcard_resolver};
}

std::string domains_state_file(const ServeOptions& options) {
    return options.domains.state_file.value_or(beside(options.registry, k_domains));
}

} // namespace losos
