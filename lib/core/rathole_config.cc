#include "core/rathole_config.h"

#include "base/append.h"
#include "base/crypto.h"
#include "base/format.h"
#include "core/ascii.h"
#include "core/in_order.h"

#include <functional>
#include <tuple>

namespace losos {
namespace {

constexpr std::size_t k_noise_key_bytes = 32;

/// What one service usually takes; more is only a little slower.
constexpr std::size_t k_usual_size = 192;

/// A TOML basic string. Tokens hold no control character, so two escapes are enough.
void append_quoted(std::string& text, std::string_view value) {
    text += '"';
    for (auto odd = value.find_first_of("\"\\"); odd != std::string_view::npos;
         odd = value.find_first_of("\"\\")) {
        text += value.substr(0, odd);
        text += '\\';
        text += value[odd];
        value.remove_prefix(odd + 1);
    }
    text += value;
    text += '"';
}

std::string quoted(std::string_view value) {
    std::string text;
    append_quoted(text, value);
    return text;
}

std::string_view secret(const std::string& text, Secrets secrets) {
    return secrets == Secrets::revealed ? std::string_view(text) : "<secret>";
}

Port port_of(const RatholeService& service) {
    return service.port;
}

Port port_of(const RatholeClientService& service) {
    return service.local_port;
}

template <class Service>
bool is_before(const Service& a, const Service& b) {
    return std::make_tuple(std::cref(a.id), port_of(a), std::cref(a.token.reveal())) <
           std::make_tuple(std::cref(b.id), port_of(b), std::cref(b.token.reveal()));
}

std::string render_head(std::string_view side, std::string_view address_key,
                        const std::string& address, const std::optional<Token>& bootstrap_token,
                        Secrets secrets) {
    auto text = format("[{}]\n{} = {}\n", side, address_key, quoted(address));
    if (bootstrap_token) {
        text += format("default_token = {}\n", quoted(secret(bootstrap_token->reveal(), secrets)));
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

template <class Service>
void append_services(std::string& text, std::string_view side, std::string_view address_key,
                     const std::vector<Service>& services, Secrets secrets) {
    if (services.empty()) {
        append(text, "\n[", side, ".services]\n");
    }
    text.reserve(text.size() + services.size() * k_usual_size);
    for (const Service* service : in_order(services, is_before<Service>)) {
        append(text, "\n[", side, ".services.\"", service->id.text(), "\"]\n", "token = ");
        append_quoted(text, secret(service->token.reveal(), secrets));
        append(text, "\n", address_key, " = \"127.0.0.1:", port_of(*service).text(), "\"\n");
    }
}

} // namespace

Result<NoiseKey> NoiseKey::parse(std::string_view text) {
    const auto trimmed = trim_ascii(text);
    auto bytes = base64_decode(trimmed);
    const bool sound = bytes && bytes->size() == k_noise_key_bytes;
    const bool weak = sound && x25519_is_weak(*bytes);
    if (bytes) {
        wipe(*bytes);
    }
    if (!sound) {
        return fail(Errc::failed, "a Noise key is the base64 of {} bytes", k_noise_key_bytes);
    }
    if (weak) {
        return Error{Errc::failed,
                     "the Noise key is a weak one, such as all zeros; make a new one"};
    }
    return NoiseKey(std::string(trimmed));
}

std::string render_rathole_server(const RatholeServerHead& head,
                                  const std::vector<RatholeService>& services, Secrets secrets) {
    auto text = render_head("server", "bind_addr", head.bind.text(), head.bootstrap_token, secrets);
    if (head.noise_private_key) {
        text += render_noise("server", "local_private_key",
                             quoted(secret(head.noise_private_key->text(), secrets)));
    }
    append_services(text, "server", "bind_addr", services, secrets);
    return text;
}

std::string render_rathole_client(const RatholeClientHead& head,
                                  const std::vector<RatholeClientService>& services,
                                  Secrets secrets) {
    auto text =
        render_head("client", "remote_addr", head.remote.text(), head.bootstrap_token, secrets);
    if (head.remote_public_key) {
        text += render_noise("client", "remote_public_key", quoted(head.remote_public_key->text()));
    }
    append_services(text, "client", "local_addr", services, secrets);
    return text;
}

} // namespace losos
