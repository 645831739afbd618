#include "doctor_asking.h"
#include "doctor_place.h"

#include "base/file.h"
#include "base/file_facts.h"
#include "base/format.h"
#include "core/check_registrar.h"
#include "core/check_uplink.h"
#include "core/rathole_config.h"
#include "files/hub_noise_file.h"
#include "files/noise_key_file.h"
#include "files/paths.h"
#include "files/rathole_server_file.h"
#include "io/clock.h"
#include "io/event_loop.h"
#include "io/lan_browser.h"

#include <algorithm>

namespace losos {

namespace {

// However many boxes there are, nobody waits longer for their tunnels.
constexpr Duration k_hops_time{30000};
constexpr std::uint16_t k_api_port = 8443;
constexpr std::uint16_t k_tunnel_port = 2333;

using Kind = status_file::Kind;

PortFacts port_facts(const Listeners& listeners, std::uint16_t port) {
    const auto found = listeners.find(port);
    if (found == listeners.end()) {
        return {};
    }
    PortFacts facts;
    facts.is_taken = true;
    for (const auto& program : found->second) {
        facts.programs.push_back({program.name, program.pid, program.unit});
    }
    return facts;
}

/// The port of the API: the advert says it; a hub's is the packaged one.
std::uint16_t api_port(const DoctorPlace& place) {
    const auto& status = place.report.status;
    const auto url =
        status && status->lan ? HttpUrl::parse(status->lan->url) : Result<HttpUrl>(Error{});
    return url ? url->endpoint().port().number() : k_api_port;
}

std::uint16_t tunnel_port(const DoctorPlace& place) {
    const auto text = rathole_server_file::load(place.options.rathole_server);
    const auto bind = text && *text ? parse_rathole_server_bind(**text) : std::nullopt;
    return bind ? bind->port.number() : k_tunnel_port;
}

Checks examine_ports(const DoctorPlace& place) {
    const std::vector<PortWish> wishes{
        {api_port(place), "losos-registrar", "losos-registrar.service", "nobody can register here"},
        {tunnel_port(place), "rathole", "losos-rathole.service", "no tunnel comes in"},
        {place.options.https_port->number(), "traefik", "losos-traefik.service",
         "no visitor gets in"},
        {place.options.http_port->number(), "traefik", "losos-traefik.service",
         "visitors who type no https:// do not get in"}};
    Checks checks;
    for (const auto& wish : wishes) {
        checks.push_back(check_port(wish, port_facts(place.listeners, wish.port)));
    }
    return checks;
}

Checks examine_registrar(const DoctorPlace& place) {
    const auto& report = place.report;
    return check_registrar({report.registrar, report.registrar_stopped(), report.reconciled_age(),
                            report.status ? report.status->faults : std::vector<std::string>()});
}

std::vector<std::string> strangers_beside(const std::string& routes) {
    auto names = names_ending(directory_of(routes), {".yml", ".yaml", ".toml"});
    std::erase(names, routes.substr(routes.rfind('/') + 1));
    return names;
}

Checks examine_hops_of(const DoctorPlace& place, Machine machine, const status_file::Row& row) {
    const auto& options = place.options;
    const auto& hostname = row.hostname.text();
    const auto routes = in_directory(options.traefik_dir, k_traefik);
    Checks checks;
    if (machine == Machine::hub) {
        checks.push_back(check_name(hostname, "the box", look_up(hostname, options.timeout)));
    }
    checks.push_back(check_route(
        hostname, ask_local(*options.https_port, hostname, LocalTransport::tls, options.timeout),
        routes, strangers_beside(routes)));
    const auto end = row.kind == Kind::relayed ? TunnelEnd::gateway : TunnelEnd::box;
    checks.push_back(
        check_tunnel({row.id.text(), row.port.text(), end,
                      ask_local(row.port, hostname, LocalTransport::plain, options.timeout)}));
    return checks;
}

/// A gateway itself is registered for its relay zone and has no tunnel of its own, unless it also
/// came by itself; what has no tunnel yet is told by its line.
Checks examine_hops(const DoctorPlace& place, Machine machine) {
    Checks checks;
    if (!place.report.registrar_runs()) {
        return checks;
    }
    const auto deadline = monotonic_now() + k_hops_time;
    for (const auto& row : place.report.status->rows) {
        if (monotonic_now() > deadline) {
            checks.push_back(
                check_not_made(format("tunnel {}", row.id.text()), "the others took too long"));
            continue;
        }
        append(checks, examine_hops_of(place, machine, row));
    }
    return checks;
}

/// The pin of the hub's key: the operator's file, or the one of the first contact.
struct Pin {
    std::string file;
    std::optional<NoiseKey> key;
};

Pin pin_of(const DoctorPlace& place, const UplinkConfig& uplink) {
    if (uplink.noise_public_key_file) {
        const auto key = noise_key_file::load(*uplink.noise_public_key_file);
        return {*uplink.noise_public_key_file, key ? *key : std::nullopt};
    }
    Pin pin{place.files.hub_noise_pub(), std::nullopt};
    const auto kept = hub_noise_file::load(pin.file);
    if (kept && *kept && (*kept)->registrar_url == uplink.registrar_url) {
        pin.key = (*kept)->key;
    }
    return pin;
}

std::optional<PassFacts> pass_facts(const EdgeReport& report) {
    if (!report.last_pass) {
        return std::nullopt;
    }
    const auto& pass = *report.last_pass;
    PassFacts facts;
    facts.age = report.moment.unix - pass.at;
    if (pass.answered_at) {
        facts.answer_age = report.moment.unix - *pass.answered_at;
    }
    facts.refused = pass.refused;
    for (const auto& id : pass.left_out) {
        facts.left_out.push_back(id.text());
    }
    facts.held_back = pass.held_back;
    facts.error = pass.error;
    return facts;
}

/// Searches until the advert is seen, Avahi is found missing, or the first search is over.
AdvertFacts search_lan(const std::string& url, Duration patience) {
    AdvertFacts facts;
    auto loop = EventLoop::make();
    if (!loop) {
        return facts;
    }
    EventLoop& running = **loop;
    const auto wanted = "url=" + url;
    std::unique_ptr<LanBrowser> browser;
    const auto look = [&] {
        const auto services = browser->services();
        facts.has_avahi = browser->state() != LanBrowser::State::unavailable;
        facts.is_searched = browser->state() == LanBrowser::State::done;
        facts.is_seen = std::any_of(services.begin(), services.end(), [&](const auto& service) {
            return std::count(service.txt.begin(), service.txt.end(), wanted) != 0;
        });
        if (facts.is_seen || facts.is_searched || !facts.has_avahi) {
            running.stop();
        }
    };
    auto started = LanBrowser::start(running, "_losos-edge._tcp", look);
    auto alarm = running.make_alarm([&] { running.stop(); });
    if (!started || !alarm) {
        return facts;
    }
    browser = *std::move(started);
    facts.has_avahi = browser->state() != LanBrowser::State::unavailable;
    (*alarm)->set(monotonic_now() + patience);
    if (const auto ran = running.run(); !ran) {
        facts.has_avahi = false;
    }
    return facts;
}

} // namespace

Checks examine_edge(const DoctorPlace& place, Machine machine) {
    auto checks = examine_registrar(place);
    append(checks, examine_ports(place));
    append(checks, examine_hops(place, machine));
    return checks;
}

Checks examine_advert(const DoctorPlace& place) {
    const auto& status = place.report.status;
    if (!status || !status->lan) {
        return {check_not_made("advert", "the registrar does not say what it tells the LAN")};
    }
    auto facts = search_lan(status->lan->url, place.options.timeout);
    facts.has_file = examine_entry(place.options.advert).fault == 0;
    return {check_advert(place.options.advert, status->lan->url, facts)};
}

Checks examine_uplink(const DoctorPlace& place) {
    const auto& uplink = place.report.uplink;
    if (place.report.uplink_fault) {
        return {check_failed("uplink", *place.report.uplink_fault)};
    }
    if (!uplink) {
        return {check_not_made("uplink", "none is set, so the boxes here are at home only; set one "
                                         "with \"losos-edge uplink set\"")};
    }
    auto checks = check_pass(pass_facts(place.report));
    auto pin = pin_of(place, *uplink);
    append(checks, examine_other_edge({"hub", uplink->registrar_url, uplink->rathole_endpoint,
                                       uplink->id.text(), uplink->token_file, std::move(pin.key),
                                       std::move(pin.file)},
                                      place.options.timeout));
    return checks;
}

} // namespace losos
