#include "core/traefik_config.h"

#include "base/append.h"
#include "base/crypto.h"
#include "base/format.h"
#include "base/hex.h"
#include "core/in_order.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace losos {
namespace {

/// What stands in front of a service's port.
constexpr std::string_view k_server = "          - url: \"http://127.0.0.1:";

/// What stands in front of the id of a router or service.
constexpr std::string_view k_service = "    losos_";

/// What one router and its service usually take; more is only a little slower.
constexpr std::size_t k_usual_size = 512;

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

/// The name of a router. One of a further host needs no more than to differ from the others: which
/// host it is stands in its rule. A box chooses its domains, and two of one name would spoil the
/// file for all: so the hash is too long for anybody to find two hosts that share one.
std::string name_of(const Router& router) {
    if (router.kind == RouterKind::own) {
        return router.id.text();
    }
    constexpr std::size_t k_hash_bytes = 16;
    const auto digest = sha256_of(router.host.text());
    return router.id.text() + "_host_" +
           hex_encode(std::string_view(digest).substr(0, k_hash_bytes));
}

void append_tls(std::string& text, const Router& router) {
    const auto& tls = router.tls;
    if (!tls.resolver) {
        append(text, "      tls: {}\n");
        return;
    }
    append(text, "      tls:\n", "        certResolver: ", quoted(*tls.resolver), "\n",
           "        domains:\n", "          - main: \"");
    if (tls.wildcard_zone) {
        append(text, "*.", tls.wildcard_zone->text());
    } else {
        append(text, router.host.text());
    }
    append(text, "\"\n");
}

void append_router(std::string& text, const Router& router) {
    append(text, k_service, name_of(router), ":\n");
    append(text, "      rule: \"Host(`", router.host.text(), "`)\"\n");
    append(text, "      entryPoints:\n", "        - websecure\n");
    append(text, "      service: losos_", router.id.text(), "\n");
    append_tls(text, router);
}

void append_service(std::string& text, const Router& router) {
    append(text, k_service, router.id.text(), ":\n");
    append(text, "      loadBalancer:\n", "        servers:\n");
    append(text, k_server, router.port.text(), "\"\n");
}

/// Whether two routers would stand under one name.
bool has_same_name(const Router& a, const Router& b) {
    return a.id == b.id && a.kind == b.kind && (a.kind == RouterKind::own || a.host == b.host);
}

} // namespace

bool comes_before(const Router& a, const Router& b) {
    return std::tie(a.id, a.kind, a.host, a.port) < std::tie(b.id, b.kind, b.host, b.port);
}

bool has_router(const std::vector<Router>& routers, const Router& wanted) {
    const auto [first, last] =
        std::equal_range(routers.begin(), routers.end(), wanted,
                         [](const Router& a, const Router& b) { return a.id < b.id; });
    return std::find(first, last, wanted) != last;
}

std::optional<std::string> render_traefik(const std::vector<Router>& routers) {
    if (routers.empty()) {
        return std::nullopt;
    }
    const auto ordered = in_order(routers, comes_before, has_same_name);
    std::string text = "http:\n  routers:\n";
    text.reserve(text.size() + ordered.size() * k_usual_size);
    for (const Router* router : ordered) {
        append_router(text, *router);
    }
    append(text, "  services:\n");
    const RowId* last = nullptr;
    for (const Router* router : ordered) {
        if (last == nullptr || router->id != *last) {
            append_service(text, *router);
        }
        last = &router->id;
    }
    return text;
}

std::map<Port, RowId> parse_traefik_ports(std::string_view text) {
    std::map<Port, RowId> ports;
    for (auto at = text.find(k_server); at != std::string_view::npos; at = text.find(k_server)) {
        const auto before = text.substr(0, at);
        text.remove_prefix(at + k_server.size());
        const auto name = before.rfind(k_service);
        if (name == std::string_view::npos) {
            continue;
        }
        const auto id_on = before.substr(name + k_service.size());
        auto id = RowId::parse(id_on.substr(0, id_on.find(':')));
        const auto port = Port::parse(text.substr(0, text.find('"')));
        if (id && port) {
            ports.emplace(*port, *std::move(id));
        }
    }
    return ports;
}

} // namespace losos
