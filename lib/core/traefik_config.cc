#include "core/traefik_config.h"

#include "base/format.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace losos {
namespace {

/// What stands in front of a service's port.
constexpr std::string_view k_server = "          - url: \"http://127.0.0.1:";

/// A YAML double-quoted scalar. Bytes that could make the file invalid become escapes.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (byte < 0x20 || byte >= 0x7f) {
            result += format("\\x{:02x}", static_cast<unsigned>(byte));
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string name_of(const Router& router) {
    return "losos_" + router.id.text();
}

std::string render_tls(const Router& router) {
    const auto& tls = router.tls;
    if (!tls.resolver) {
        return "      tls: {}\n";
    }
    const auto domain = tls.wildcard_zone ? "*." + tls.wildcard_zone->text() : router.host.text();
    return format("      tls:\n"
                  "        certResolver: {}\n"
                  "        domains:\n"
                  "          - main: {}\n",
                  quoted(*tls.resolver), quoted(domain));
}

std::string render_router(const Router& router) {
    return format("    {}:\n"
                  "      rule: \"Host(`{}`)\"\n"
                  "      entryPoints:\n"
                  "        - websecure\n"
                  "      service: {}\n",
                  name_of(router), router.host.text(), name_of(router)) +
           render_tls(router);
}

std::string render_service(const Router& router) {
    return format("    {}:\n"
                  "      loadBalancer:\n"
                  "        servers:\n"
                  "{}{}\"\n",
                  name_of(router), k_server, router.port.number());
}

} // namespace

std::optional<std::string> render_traefik(std::vector<Router> routers) {
    if (routers.empty()) {
        return std::nullopt;
    }
    std::sort(routers.begin(), routers.end(), [](const Router& a, const Router& b) {
        return std::tie(a.id, a.host, a.port) < std::tie(b.id, b.host, b.port);
    });
    // A key that stands twice would cost everybody the whole file.
    const auto end = std::unique(routers.begin(), routers.end(),
                                 [](const Router& a, const Router& b) { return a.id == b.id; });
    std::string routers_text;
    std::string services_text;
    for (auto router = routers.begin(); router != end; ++router) {
        routers_text += render_router(*router);
        services_text += render_service(*router);
    }
    return "http:\n  routers:\n" + routers_text + "  services:\n" + services_text;
}

std::vector<Port> parse_traefik_ports(std::string_view text) {
    std::vector<Port> ports;
    for (auto at = text.find(k_server); at != std::string_view::npos; at = text.find(k_server)) {
        text.remove_prefix(at + k_server.size());
        if (const auto port = Port::parse(text.substr(0, text.find('"')))) {
            ports.push_back(*port);
        }
    }
    return ports;
}

} // namespace losos
