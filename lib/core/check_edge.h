// Whether an edge is there for its callers, and the hops a visitor takes: the rules of `losos-edge
// doctor` for what answers and what does not.
#pragma once

#include "base/duration.h"
#include "core/doctor.h"
#include "core/edge_answer.h"
#include "core/network.h"
#include "core/noise_pin.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What asking an edge came to: its answer, or why there is none.
struct EdgeFacts {
    std::optional<EdgeAnswer> answer;
    std::string fault;
};

/// `role`: what the edge is to this machine, "hub" or "edge".
Check check_health(std::string_view role, const HttpUrl& url, const EdgeFacts& health);

/// Whether the tunnel server takes a connection; `fault` is empty when it does.
Check check_tunnel_port(std::string_view role, const Endpoint& rathole, std::string_view fault);

/// Whether the edge's key is the pinned one. `pin_file`: where the pin stands.
Check check_key(std::string_view role, const HttpUrl& url, const NoiseJudgement& judgement,
                std::string_view cause, std::string_view pin_file);

/// Whether the edge takes the token, by its answer to a heartbeat under our id: only a 401 says
/// that it does not. `token_file`: where it stands here.
Check check_token(std::string_view role, const HttpUrl& url, std::string_view id,
                  const EdgeFacts& heartbeat, std::string_view token_file);

/// What a server on this machine answered to a request for a host name.
struct LocalAnswer {
    enum class Kind {
        answered,
        /// Nobody listens.
        refused,
        /// It took the connection and closed it without an answer.
        hung_up,
        /// It said nothing in time.
        silent,
    };
    Kind kind = Kind::refused;
    int status = 0;
    std::string body;
};

/// Whether Traefik has the box's route: anything but its own 404 comes from behind it. `strangers`:
/// other files in the directory of the routes, any of which can spoil them all.
Check check_route(const std::string& hostname, const LocalAnswer& answer, std::string_view file,
                  const std::vector<std::string>& strangers);

/// Whom the loopback port of a row leads to.
enum class TunnelEnd { box, gateway };

struct TunnelFacts {
    std::string id;
    std::string port;
    TunnelEnd end = TunnelEnd::box;
    LocalAnswer answer;
};

/// Whether an HTTP answer comes back through the tunnel.
Check check_tunnel(const TunnelFacts& tunnel);

/// The box's own web server.
Check check_web_server(const LocalAnswer& answer);

/// What a search of the LAN found of this edge's own advert.
struct AdvertFacts {
    bool has_file = false;
    /// Whether Avahi answered at all, and whether it finished its first answer in time.
    bool has_avahi = false;
    bool is_searched = false;
    bool is_seen = false;
};

Check check_advert(std::string_view file, std::string_view url, const AdvertFacts& facts);

} // namespace losos
