// What is rendered for rathole, Traefik and Avahi from names, ports and tokens of callers: a line a
// tenant, its id, hostname, port and token parted by blanks.
#include "check.h"
#include "target.h"

#include "core/lan_advert.h"
#include "core/rathole_config.h"
#include "core/traefik_config.h"

#include <algorithm>
#include <map>
#include <set>

namespace losos::fuzz {
namespace {

struct Tenant {
    RowId id;
    DnsName host;
    Port port;
    Token token;
};

std::string_view take(std::string_view& text, char end) {
    const auto part = text.substr(0, text.find(end));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

/// The tenants of the lines that make sense, one an id.
std::vector<Tenant> read_tenants(std::string_view input) {
    std::vector<Tenant> tenants;
    std::set<RowId> ids;
    while (!input.empty()) {
        auto line = take(input, '\n');
        auto id = RowId::parse(take(line, ' '));
        auto host = DnsName::parse(take(line, ' '));
        const auto port = Port::parse(take(line, ' '));
        auto token = Token::parse(line);
        if (id && host && port && token && ids.insert(*id).second) {
            tenants.push_back({*id, *host, *port, *token});
        }
    }
    return tenants;
}

void check_rathole(const std::vector<Tenant>& tenants) {
    const RatholeClientHead client{*Endpoint::parse("losos.cfd:2333"), std::nullopt, std::nullopt};
    const RatholeServerHead server{*SocketAddress::parse("0.0.0.0:2333"), std::nullopt,
                                   std::nullopt};
    const Token other = *Token::parse("another-another-another-another!");
    std::vector<RatholeClientService> ours;
    std::vector<RatholeService> theirs;
    std::vector<RatholeService> of_others;
    std::vector<RowId> ids;
    for (const Tenant& tenant : tenants) {
        ours.push_back({tenant.id, tenant.token, tenant.port});
        theirs.push_back({tenant.id, tenant.token, tenant.port});
        of_others.push_back({tenant.id, other, tenant.port});
        ids.push_back(tenant.id);
    }
    std::sort(ids.begin(), ids.end());
    const auto text = render_rathole_client(client, ours);
    FUZZ_CHECK(*parse_rathole_client_services(text) == ids);
    FUZZ_CHECK(render_rathole_server(server, theirs, Secrets::masked) ==
               render_rathole_server(server, of_others, Secrets::masked));
    const auto config = render_rathole_server(server, theirs);
    std::reverse(theirs.begin(), theirs.end());
    FUZZ_CHECK(render_rathole_server(server, theirs) == config);
}

void check_traefik(std::vector<Tenant> tenants) {
    std::sort(tenants.begin(), tenants.end(),
              [](const Tenant& a, const Tenant& b) { return a.id < b.id; });
    std::vector<Router> routers;
    std::map<Port, RowId> ports;
    for (const Tenant& tenant : tenants) {
        routers.push_back({tenant.id, tenant.host, tenant.port, {"le", std::nullopt}});
        ports.emplace(tenant.port, tenant.id);
    }
    const auto text = render_traefik(routers);
    FUZZ_CHECK(text.has_value() == !tenants.empty());
    FUZZ_CHECK(parse_traefik_ports(text.value_or("")) == ports);
    std::reverse(routers.begin(), routers.end());
    FUZZ_CHECK(render_traefik(routers) == text);
}

void run(std::string_view input) {
    const auto tenants = read_tenants(input);
    check_rathole(tenants);
    check_traefik(tenants);
    for (const Tenant& tenant : tenants) {
        const auto advert = render_lan_advert({tenant.host, tenant.port, tenant.port, true});
        FUZZ_CHECK(advert.find("url=http://" + tenant.host.text()) != std::string::npos);
    }
    for (const auto& [port, _] : parse_traefik_ports(input)) {
        FUZZ_CHECK(input.find(port.text()) != std::string_view::npos);
    }
}

const Known k_known({"rendered", "texts for rathole, Traefik and Avahi", k_file, "traefik/*.yml",
                     run});

} // namespace
} // namespace losos::fuzz
