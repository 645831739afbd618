// The one owner of the edge's state: decides the calls that gathered, commits them together, and
// makes every file follow. All of it runs on the thread of the event loop.
#pragma once

#include "caller_table.h"
#include "contacts.h"
#include "domains.h"
#include "identity_source.h"
#include "inbox.h"
#include "mesh_door.h"
#include "publisher.h"
#include "registrar_status.h"
#include "relay_refusals.h"
#include "roster_source.h"
#include "route_table.h"
#include "serve_options.h"

#include "core/edge_state.h"
#include "core/liveness.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// State, rules and outgoing files of one edge.
class Reconciler {
public:
    /// What it is given to start with.
    struct Start {
        ServeOptions options;
        RosterSource roster;
        Registry registry;
        /// Passes a former run left in live.json.
        std::map<RowId, RelayPass> passes;
        /// What domains.json held.
        std::vector<DomainClaim> claims;
        /// Bindings a former run left in relay-routes.json.
        Bindings bindings;
        std::optional<RatholeServerHead> head;
        std::string boot_id;
        std::optional<LanAdvert> advert;
        /// What the start itself found amiss; stays in the status.
        std::vector<std::string> warnings;
    };

    /// `found` is called on another thread when a lookup is done, `news` when the mesh has another
    /// fault, both for reconcile() to take it in.
    Reconciler(Start start, Published& published, std::function<void()> found,
               std::function<void()> news, Instant now);

    /// Decides and commits the calls, answers them, then reconciles.
    void decide(std::vector<PendingCall> calls, const HttpCounters& counters);
    /// Makes everything follow the files, the clock and the state.
    void reconcile(const HttpCounters& counters);
    /// Reads the operator's files again; reconciles if they changed.
    void refresh_inputs(const HttpCounters& counters);

    /// From now on the advert, which there is, has this name, and no box may have it.
    void advertise_as(const DnsName& host, const HttpCounters& counters);
    std::optional<DnsName> advertises_as() const { return m_options.advertise_host; }

    /// Whether this edge is set up for custom domains, and whether lookups wait to be taken in.
    bool has_domains() const { return m_domains.are_configured(); }
    bool has_findings() const { return m_domains.has_findings(); }
    /// Outlives every call.
    MeshDoor& mesh() { return m_mesh; }

    /// When reconcile() is to be called next if nothing else happens.
    MonotonicTime next_due() const { return m_next_due; }
    /// What calls for refresh_inputs() when it changes.
    WatchList watches() const;
    /// Writes departures that were still paced, takes the advert back, and says in the status that
    /// this was a clean stop.
    void withdraw(const HttpCounters& counters);

private:
    struct Decided;

    Official official(UnixTime now) const;
    void gather_faults(std::vector<std::string> faults);
    void commit_domains(const std::vector<PendingCall>& calls, std::vector<Decided>& decided);
    void take_roster(Change change);
    void read_head();
    Decided decide_one(EdgeBatch& batch, const PendingCall& call);
    std::vector<Decided> decide_without_enrolments(const std::vector<PendingCall>& calls,
                                                   Instant now);
    Result<void> store_enrolments(const EnrolmentChanges& enrolments, std::vector<DnsLabel>& gone);
    Result<void> commit(const EnrolmentChanges& enrolments, bool has_relays, UnixTime now);
    void answer_relays(const std::vector<PendingCall>& calls, std::vector<Decided>& decided,
                       UnixTime now);
    bool has_its_tunnels(const StateCall& call, const std::vector<RatholeService>& wanted) const;
    Result<void> store_registry();
    bool registry_is_stored() const;
    /// The rows of the route table, of names that are known now.
    std::vector<DomainRoute> routes_at(UnixTime now) const;
    /// Writes the route table, and says what changed in it.
    Result<void> follow_routes(const std::vector<DomainRoute>& routes);
    void note_success(const StateCall& call, MonotonicTime now);
    void follow_rows(MonotonicTime now);
    void forgive_lateness(MonotonicTime now);
    void drop_members();
    /// Who of the mesh lends its processors when, and who is known to be idle now.
    Result<void> write_windows(const std::map<DnsLabel, HeardIdleness>& heard,
                               MonotonicTime now) const;
    void drop_rows(const HttpCounters& counters, Instant now);
    /// A port that has rested is free, unless a connection to its last owner is still open.
    void end_rests(Instant now);
    void store_status(const std::vector<MonotonicTime>& contacts, const HttpCounters& counters,
                      Instant now);
    void plan_next(const std::vector<MonotonicTime>& contacts, const HttpCounters& counters,
                   MonotonicTime now);

    ServeOptions m_options;
    EdgeRules m_rules;
    CertificateRules m_certificates;
    RosterSource m_source;
    IdentitySource m_identity;
    Domains m_domains;
    MeshDoor m_mesh;
    RouteTable m_routes;
    RelayRefusals m_relay_refusals;
    FurtherHosts m_further;
    EdgeState m_state;
    /// What registry.json was last known to hold, and whether no write has failed since.
    Registry m_stored;
    bool m_stored_surely = false;
    /// Whether the roster has changed since the API's threads were told of it.
    bool m_roster_is_news = true;
    Published& m_published;
    Publisher m_publisher;
    RegistrarStatus m_status;
    std::optional<LanAdvert> m_advert;
    /// Why the last change that was asked for was not written, until one is.
    std::string m_commit_fault;
    std::string m_enrolment_fault;
    std::string m_head_fault;
    std::string m_table_fault;
    std::string m_status_fault;
    std::vector<std::string> m_warnings;
    Contacts m_contacts;
    MonotonicTime m_next_due;
};

} // namespace losos
