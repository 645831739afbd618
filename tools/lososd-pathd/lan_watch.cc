#include "lan_watch.h"

#include "base/log.h"
#include "io/clock.h"
#include "io/lan_interfaces.h"

#include <algorithm>

namespace losos {

namespace {

constexpr const char* k_type = "_losos-edge._tcp";
/// A stranger may advertise what is ignored under any number of names.
constexpr std::size_t k_said_max = 64;

InterfaceKind kind_of(LinkKind kind) {
    switch (kind) {
    case LinkKind::plain:
        break;
    case LinkKind::loopback:
        return InterfaceKind::loopback;
    case LinkKind::bridge_to_outside:
        return InterfaceKind::bridge_to_outside;
    case LinkKind::bridge_within:
        return InterfaceKind::bridge_within;
    }
    return InterfaceKind::plain;
}

LanSearch search_of(LanBrowser::State state) {
    switch (state) {
    case LanBrowser::State::searching:
        break;
    case LanBrowser::State::done:
        return LanSearch::done;
    case LanBrowser::State::unavailable:
        return LanSearch::unavailable;
    }
    return LanSearch::searching;
}

ThisBox this_box(const std::vector<std::string>& own) {
    ThisBox box;
    for (const auto& text : own) {
        if (auto address = IpAddress::parse(text)) {
            box.addresses.push_back(*std::move(address));
        }
    }
    for (const auto& text : own_names()) {
        if (auto name = DnsName::parse(text)) {
            box.names.push_back(*std::move(name));
        }
    }
    return box;
}

/// The name that an advert wants dialled; nullopt where that is an address, or it is ignored.
std::optional<std::string> name_in(const LanService& service, const ThisBox& box) {
    const auto read = read_lan_service(service, box);
    const auto* const advert = std::get_if<LanAdvertRead>(&read);
    if (advert == nullptr || IpAddress::parse(advert->url.endpoint().host())) {
        return std::nullopt;
    }
    return advert->url.endpoint().host();
}

} // namespace

Result<std::unique_ptr<LanWatch>> LanWatch::start(EventLoop& loop, LoopTasks& tasks,
                                                  WorkerThreads& threads, Callees callees) {
    auto watch = std::unique_ptr<LanWatch>(new LanWatch(tasks, threads, std::move(callees)));
    TRY_ASSIGN(watch->m_browser,
               LanBrowser::start(loop, k_type, [it = watch.get()] { it->look(); }));
    return watch;
}

LanWatch::LanWatch(LoopTasks& tasks, WorkerThreads& threads, Callees callees)
    : m_callees(std::move(callees)), m_names(tasks, threads, [this] { look(); }) {}

void LanWatch::look() {
    const auto search = search_of(m_browser->state());
    say_search(search);
    if (search == LanSearch::unavailable) {
        m_callees.set_lan(search, std::nullopt);
        return;
    }
    auto own = own_addresses();
    const auto box = this_box(own);
    const bool has_moved = m_own_addresses && *m_own_addresses != own;
    m_own_addresses = std::move(own);
    const auto services = read_services(box);
    const auto view = gather_lan_edges(services, box, m_names.resolving(box));
    say_ignored(view.ignored);
    // What an Avahi that came back has yet to find again is not missing.
    const bool is_partial = search == LanSearch::searching && m_was_searched;
    m_was_searched = m_was_searched || search == LanSearch::done;
    m_callees.set_lan(m_awaits_names ? LanSearch::searching : search,
                      is_partial ? std::nullopt : std::optional(view.edges));
    if (has_moved) {
        m_callees.moved();
    }
}

/// An Avahi that only begins to answer is not back yet.
void LanWatch::say_search(LanSearch search) {
    if (search == LanSearch::unavailable && !m_misses_avahi) {
        m_misses_avahi = true;
        log(LogLevel::warning, "the LAN is not searched for gateways: Avahi does not answer; type "
                               "\"systemctl start avahi-daemon\"");
    } else if (search == LanSearch::done && m_misses_avahi) {
        m_misses_avahi = false;
        log(LogLevel::notice, "the LAN is searched for gateways again: Avahi answers");
    }
}

/// Those that can be judged: not while it is open whether the name in one resolves.
std::vector<LanService> LanWatch::read_services(const ThisBox& box) {
    std::vector<LanService> services;
    std::set<std::string> names;
    for (auto& found : m_browser->services()) {
        if (found.interface.empty()) {
            continue;
        }
        const LanInterface interface { found.interface, kind_of(read_link_kind(found.interface)) };
        services.push_back({interface, found.instance, found.host, found.port, found.address,
                            std::move(found.txt)});
        if (auto name = name_in(services.back(), box)) {
            names.insert(*std::move(name));
        }
    }
    m_names.want(names, monotonic_now());
    m_awaits_names = false;
    std::erase_if(services, [&](const LanService& service) {
        const auto name = name_in(service, box);
        const bool waits = name && m_names.is_pending(*name);
        m_awaits_names = m_awaits_names || waits;
        return waits;
    });
    return services;
}

void LanWatch::say_ignored(const std::vector<IgnoredAdvert>& ignored) {
    for (const auto& advert : ignored) {
        const bool is_news =
            m_said.size() < k_said_max && m_said.emplace(advert.instance, advert.fault).second;
        if (is_news) {
            log(LogLevel::info, "the advert \"{}\" is ignored: {}", advert.instance,
                describe(advert.fault));
        }
    }
}

} // namespace losos
