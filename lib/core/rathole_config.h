// The three configurations of rathole: an edge's server, a spoke's uplink, a box's client.
// Same input, same bytes, whatever the order.
#pragma once

#include "core/names.h"
#include "core/network.h"
#include "core/token.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Whether secrets stand in the text or `<secret>` in their place.
enum class Secrets { revealed, masked };

/// A Noise key: 32 bytes in base64. Private or public.
class NoiseKey {
public:
    /// Trims; fails unless it is the base64 of 32 bytes, or where they hide nothing (all zeros).
    /// Says nothing of the text.
    static Result<NoiseKey> parse(std::string_view text);
    const std::string& text() const { return m_text; }
    friend bool operator==(const NoiseKey&, const NoiseKey&) = default;

private:
    explicit NoiseKey(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// The `[server]` head. A change of it restarts every tunnel.
struct RatholeServerHead {
    SocketAddress bind;
    std::optional<Token> bootstrap_token;
    std::optional<NoiseKey> noise_private_key;
};

/// One service of the server: a tunnel that ends at a loopback port.
struct RatholeService {
    RowId id;
    Token token;
    Port port;
};

std::string render_rathole_server(const RatholeServerHead& head,
                                  const std::vector<RatholeService>& services,
                                  Secrets secrets = Secrets::revealed);

/// The `[client]` head.
struct RatholeClientHead {
    Endpoint remote;
    std::optional<Token> bootstrap_token;
    std::optional<NoiseKey> remote_public_key;
};

/// One service of a client: where the tunnel's streams go on.
struct RatholeClientService {
    RowId id;
    Token token;
    Port local_port;
};

std::string render_rathole_client(const RatholeClientHead& head,
                                  const std::vector<RatholeClientService>& services,
                                  Secrets secrets = Secrets::revealed);

/// Where a text render_rathole_server made listens; nullopt for any other text.
std::optional<SocketAddress> parse_rathole_server_bind(std::string_view text);

/// Whether a text render_rathole_client made dials the same server with the same secrets.
bool has_client_head(std::string_view text, const RatholeClientHead& head);

/// The services, by name, of a text render_rathole_client made; fails on any other text.
Result<std::vector<RowId>> parse_rathole_client_services(std::string_view text);

} // namespace losos
