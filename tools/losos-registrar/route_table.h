// A hub's route table beside the state: the key of relay passes, the bindings and routes on disk,
// and what the log says of them. Off, it does nothing and is never at fault.
#pragma once

#include "serve_options.h"

#include "base/watch_list.h"
#include "core/route_plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Whether the flags turn the route table on. An edge on a LAN has none, whatever its flags say.
bool has_route_table(const ServeOptions& options);

/// What RouteTable will complain of with this key, without making one.
std::vector<std::string> find_key_faults(const ServeOptions& options);

/// What an earlier run left in relay-routes.json, as far as it can be believed. A file that cannot
/// be used costs the bindings, and a warning.
Bindings read_bindings(const ServeOptions& options, UnixTime now,
                       std::vector<std::string>& warnings);

class RouteTable {
public:
    /// `bindings` are the ones the file was read with.
    RouteTable(const ServeOptions& options, Bindings bindings);

    /// Reads the key, and makes it when there is none. While it cannot be had the last good one
    /// stays in force; nullopt when there never was one.
    const std::optional<RelayPassKey>& read_key();

    /// Whether the file holds these bindings and no write of it has failed since.
    bool holds(const Bindings& bindings) const;
    /// The bindings of the last write that succeeded: one that fails leaves the file as it was.
    const Bindings& on_disk() const { return m_stored; }
    /// Makes the file hold these.
    Result<void> store(const Bindings& bindings, const std::vector<DomainRoute>& routes);

    /// Logs what a gateway's list did, and what of it was refused that was not refused before. A
    /// box without a pass is nothing to speak of, unless it could have routes.
    void tell(const DnsLabel& spoke, const BindingNews& news, const EdgeState& state);
    /// Logs the routes that came and went since the last time.
    void tell(const std::vector<DomainRoute>& routes);

    /// What is wrong with the key; empty when nothing is.
    const std::string& fault() const { return m_key_fault; }
    void add_watches(WatchList& list) const;

private:
    Result<RelayPassKey> load_or_make_key() const;

    /// nullopt when the table is off.
    std::optional<std::string> m_key_file;
    std::optional<std::string> m_routes_file;
    std::optional<RelayPassKey> m_key;
    std::string m_key_fault;

    Bindings m_stored;
    std::vector<DomainRoute> m_stored_routes;
    bool m_stored_surely = false;

    /// What was last said; nullopt before the first time.
    std::optional<std::vector<DomainRoute>> m_told;
    /// By gateway, what was refused of its last list.
    std::map<DnsLabel, std::vector<RefusedPass>> m_refused;
};

} // namespace losos
