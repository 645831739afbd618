// What an examination asks edges and servers, and what they answered, in the words of core's rules.
#pragma once

#include "core/check_edge.h"
#include "core/check_host.h"
#include "core/network.h"
#include "core/noise_pin.h"
#include "core/token.h"
#include "io/local_server.h"

#include <optional>
#include <string>

namespace losos {

/// GET /health, and the time its answer tells.
struct HealthFinding {
    EdgeFacts health;
    std::optional<UnixTime> date;
};
HealthFinding ask_health(const HttpUrl& edge, Duration timeout);

/// An empty heartbeat: it changes nothing but when the edge last heard of the id.
EdgeFacts ask_with_token(const HttpUrl& edge, const std::string& id, const Token& token,
                         Duration timeout);

/// Why the endpoint takes no connection; empty when it does.
std::string ask_tunnel_port(const Endpoint& rathole, Duration timeout);

NameFacts look_up(const std::string& name, Duration timeout);

/// Whether a host is a name, not an address.
bool is_name(const std::string& host);

LocalAnswer ask_local(Port port, const std::string& host, LocalTransport transport,
                      Duration timeout);

/// The checks of an edge that this machine depends on.
struct EdgeQuestion {
    /// What the edge is to this machine: "hub" or "edge".
    std::string role;
    HttpUrl url;
    Endpoint rathole;
    /// Who this machine is there, if that is known.
    std::optional<std::string> id;
    std::string token_file;
    std::optional<NoiseKey> pin;
    std::string pin_file;
};
std::vector<Check> examine_other_edge(const EdgeQuestion& question, Duration timeout);

} // namespace losos
