#include "core/rathole_config.h"

#include "base/crypto.h"
#include "base/format.h"
#include "core/ascii.h"

#include <algorithm>
#include <tuple>

namespace losos {
namespace {

constexpr std::size_t k_noise_key_bytes = 32;

/// A TOML basic string. Tokens hold no control character, so two escapes are enough.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + '"';
}

std::string secret(const std::string& text, Secrets secrets) {
    return quoted(secrets == Secrets::revealed ? text : "<secret>");
}

/// Sorts by id and leaves one of each: a table that stands twice would cost everybody the file.
template <class Service, class PortOf>
void make_unique(std::vector<Service>& services, PortOf port_of) {
    const auto key = [&port_of](const Service& service) {
        return std::tie(service.id, port_of(service), service.token.reveal());
    };
    std::sort(services.begin(), services.end(),
              [&key](const Service& a, const Service& b) { return key(a) < key(b); });
    const auto same = [](const Service& a, const Service& b) {
        return a.id == b.id;
    };
    services.erase(std::unique(services.begin(), services.end(), same), services.end());
}

std::string render_head(std::string_view side, std::string_view address_key,
                        const std::string& address, const std::optional<Token>& bootstrap_token,
                        Secrets secrets) {
    auto text = format("[{}]\n{} = {}\n", side, address_key, quoted(address));
    if (bootstrap_token) {
        text += format("default_token = {}\n", secret(bootstrap_token->reveal(), secrets));
    }
    return text;
}

std::string render_noise(std::string_view side, std::string_view key_name,
                         const std::string& quoted_key) {
    return format("\n[{0}.transport]\n"
                  "type = \"noise\"\n"
                  "\n[{0}.transport.noise]\n"
                  "{1} = {2}\n",
                  side, key_name, quoted_key);
}

std::string render_service(std::string_view side, const RowId& id, const Token& token,
                           std::string_view address_key, Port port, Secrets secrets) {
    return format("\n[{}.services.{}]\n"
                  "token = {}\n"
                  "{} = \"127.0.0.1:{}\"\n",
                  side, quoted(id.text()), secret(token.reveal(), secrets), address_key,
                  port.number());
}

} // namespace

Result<NoiseKey> NoiseKey::parse(std::string_view text) {
    const auto trimmed = trim_ascii(text);
    auto bytes = base64_decode(trimmed);
    const bool sound = bytes && bytes->size() == k_noise_key_bytes;
    if (bytes) {
        wipe(*bytes);
    }
    if (!sound) {
        return fail(Errc::failed, "a Noise key is the base64 of {} bytes", k_noise_key_bytes);
    }
    return NoiseKey(std::string(trimmed));
}

std::string render_rathole_server(const RatholeServerHead& head,
                                  std::vector<RatholeService> services, Secrets secrets) {
    make_unique(services, [](const RatholeService& s) -> const Port& { return s.port; });
    auto text = render_head("server", "bind_addr", head.bind.text(), head.bootstrap_token, secrets);
    if (head.noise_private_key) {
        text += render_noise("server", "local_private_key",
                             secret(head.noise_private_key->text(), secrets));
    }
    if (services.empty()) {
        text += "\n[server.services]\n";
    }
    for (const auto& service : services) {
        text +=
            render_service("server", service.id, service.token, "bind_addr", service.port, secrets);
    }
    return text;
}

std::string render_rathole_client(const RatholeClientHead& head,
                                  std::vector<RatholeClientService> services, Secrets secrets) {
    make_unique(services,
                [](const RatholeClientService& s) -> const Port& { return s.local_port; });
    auto text =
        render_head("client", "remote_addr", head.remote.text(), head.bootstrap_token, secrets);
    if (head.remote_public_key) {
        text += render_noise("client", "remote_public_key", quoted(head.remote_public_key->text()));
    }
    if (services.empty()) {
        text += "\n[client.services]\n";
    }
    for (const auto& service : services) {
        text += render_service("client", service.id, service.token, "local_addr",
                               service.local_port, secrets);
    }
    return text;
}

} // namespace losos
