#include "route_table.h"

#include "counted.h"

#include "base/file.h"
#include "base/log.h"
#include "files/relay_pass_key_file.h"
#include "files/relay_routes_file.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

/// Whether a box that lists no pass could have had routes by one.
bool is_missed(const RefusedPass& refused, const EdgeState& state) {
    return refused.holder || state.compute_windows.contains(refused.box);
}

std::string without_key(const Error& error) {
    return error.what + "; until then no pass is made or judged";
}

std::string render(const DomainRoute& route) {
    return format("{} to {} through {}", route.domain.text(), route.tenant.text(),
                  route.spoke.text());
}

} // namespace

bool has_route_table(const ServeOptions& options) {
    return options.relay_pass_key_file && options.relay_routes_file && !options.lan_advertise;
}

std::vector<std::string> find_key_faults(const ServeOptions& options) {
    if (has_route_table(options)) {
        if (const auto key = relay_pass_key_file::load(*options.relay_pass_key_file); !key) {
            return {without_key(key.error())};
        }
    }
    return {};
}

Bindings read_bindings(const ServeOptions& options, UnixTime now,
                       std::vector<std::string>& warnings) {
    if (!has_route_table(options)) {
        return {};
    }
    auto loaded = relay_routes_file::load(*options.relay_routes_file);
    if (!loaded) {
        warnings.push_back(loaded.error().what + "; gateways bind their boxes again");
        return {};
    }
    if (!*loaded) {
        return {};
    }
    for (const auto& sentence : (*loaded)->dropped) {
        warnings.push_back(*options.relay_routes_file + ": " + sentence);
    }
    return without_future(std::move((*loaded)->bindings), now);
}

RouteTable::RouteTable(const ServeOptions& options, Bindings bindings)
    : m_stored(std::move(bindings)) {
    if (!has_route_table(options)) {
        return;
    }
    m_key_file = options.relay_pass_key_file;
    m_routes_file = options.relay_routes_file;
    remove_leftovers(*m_key_file);
    remove_leftovers(*m_routes_file);
}

const std::optional<RelayPassKey>& RouteTable::read_key() {
    if (!m_key_file) {
        return m_key;
    }
    auto key = load_or_make_key();
    if (!key) {
        m_key_fault = m_key ? key.error().what + "; the last good key stays in force"
                            : without_key(key.error());
        return m_key;
    }
    m_key_fault.clear();
    if (m_key && !m_key->same_as(*key)) {
        log(LogLevel::notice, "{} holds another key: the passes of before are worth nothing",
            *m_key_file);
    }
    m_key = *std::move(key);
    return m_key;
}

Result<RelayPassKey> RouteTable::load_or_make_key() const {
    TRY_ASSIGN(auto there, relay_pass_key_file::load(*m_key_file));
    if (there) {
        return *std::move(there);
    }
    TRY_ASSIGN(const auto change, relay_pass_key_file::create(*m_key_file, RelayPassKey::make()));
    if (change == Change::changed) {
        log(LogLevel::notice, "made the key of relay passes, {}", *m_key_file);
    }
    // Read back, so that of two that were made at once the one that stayed is used.
    TRY_ASSIGN(auto made, relay_pass_key_file::load(*m_key_file));
    if (!made) {
        return fail(Errc::failed, "{} is gone again as soon as it is made", *m_key_file);
    }
    return *std::move(made);
}

bool RouteTable::holds(const Bindings& bindings) const {
    return !m_routes_file || (m_stored_surely && m_stored == bindings);
}

Result<void> RouteTable::store(const Bindings& bindings, const std::vector<DomainRoute>& routes) {
    if (!m_routes_file || (holds(bindings) && m_stored_routes == routes)) {
        return {};
    }
    m_stored_surely = false;
    TRY_ASSIGN([[maybe_unused]] const auto change,
               relay_routes_file::store(*m_routes_file, bindings, routes));
    m_stored = bindings;
    m_stored_routes = routes;
    m_stored_surely = true;
    return {};
}

void RouteTable::tell(const DnsLabel& spoke, const BindingNews& news, const EdgeState& state) {
    for (const BindingMove& move : news.moves) {
        log(LogLevel::notice, "{}", describe(move));
    }
    const auto known = m_refused.find(spoke);
    for (const RefusedPass& refused : news.refused) {
        const bool is_old =
            known != m_refused.end() &&
            std::find(known->second.begin(), known->second.end(), refused) != known->second.end();
        if (!is_old && (refused.why != PassRefusal::missing || is_missed(refused, state))) {
            log(LogLevel::warning, "{}", describe(spoke, refused));
        }
    }
    if (!news.refused.empty()) {
        m_refused.insert_or_assign(spoke, news.refused);
    } else if (known != m_refused.end()) {
        m_refused.erase(known);
    }
}

void RouteTable::tell(const std::vector<DomainRoute>& routes) {
    if (!m_routes_file) {
        return;
    }
    if (!m_told) {
        log(LogLevel::info, "{} by the bindings of before", counted(routes.size(), "route"));
    } else {
        const auto news = compare_routes(*m_told, routes);
        for (const DomainRoute& route : news.removed) {
            log(LogLevel::notice, "route removed: {}", render(route));
        }
        for (const DomainRoute& route : news.added) {
            log(LogLevel::notice, "route added: {}", render(route));
        }
    }
    m_told = routes;
}

void RouteTable::add_watches(WatchList& list) const {
    if (m_key_file) {
        list.add_file(*m_key_file);
    }
}

} // namespace losos
