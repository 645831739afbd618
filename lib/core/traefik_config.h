// losos.yml: the routers and services Traefik's file provider reads.
#pragma once

#include "core/names.h"
#include "core/port.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// Where a router's certificate comes from.
struct RouterTls {
    /// The certificate resolver; nullopt on an edge that never asks an ACME server.
    std::optional<std::string> resolver;
    /// The zone whose wildcard certificate serves the host, instead of one of its own.
    std::optional<DnsName> wildcard_zone;
    friend bool operator==(const RouterTls&, const RouterTls&) = default;
};

/// Whether a router serves its row's own hostname or a further one, of which there may be several.
enum class RouterKind { own, further };

/// One host name on its way to one loopback port.
struct Router {
    RowId id;
    DnsName host;
    Port port;
    RouterTls tls;
    RouterKind kind = RouterKind::own;
    friend bool operator==(const Router&, const Router&) = default;
};

/// The order routers are kept in: by id, a row's own host before further ones, then by host.
bool comes_before(const Router& a, const Router& b);

/// Whether that very router is among these, which are in order.
bool has_router(const std::vector<Router>& routers, const Router& wanted);

/// The file's text for these routers, in order whatever their order here; nullopt for none: no
/// live tenant means no file.
std::optional<std::string> render_traefik(const std::vector<Router>& routers);

/// The ports to which a text that render_traefik made sends requests, and whose they are.
std::map<Port, RowId> parse_traefik_ports(std::string_view text);

} // namespace losos
