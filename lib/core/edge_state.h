// What the registrar owns while it runs: roster, registered rows, resting ports; and the rules by
// which calls, time and the operator's files change them. Pure: nothing is written, no clock is
// read.
#pragma once

#include "core/cluster_api.h"
#include "core/enrolment.h"
#include "core/port_pool.h"
#include "core/register_api.h"
#include "core/registry.h"
#include "core/relay_api.h"
#include "core/relay_bindings.h"
#include "core/roster.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace losos {

/// One moment on both clocks.
struct Instant {
    MonotonicTime monotonic;
    UnixTime unix;
};

/// What the operator decided by flags.
struct EdgeRules {
    PortRange ports;
    Duration port_rest;
    /// The edge's own name and the reserved ones: nobody may enrol or relay them.
    std::vector<DnsName> reserved;
    bool enrolment_open = false;
    std::size_t enrol_max = 0;
    /// With what relay passes are judged; without it no binding changes.
    std::optional<RelayPassKey> pass_key = std::nullopt;
};

/// A freed port. `free_at` is unknown until Traefik's file stands without its router.
struct Resting {
    RowId id;
    UnixTime until;
    std::optional<MonotonicTime> free_at;
};

/// Everything a decision depends on.
struct EdgeState {
    Roster roster;
    std::map<RowId, RegistryRow> rows;
    std::map<DnsLabel, ComputeWindow> compute_windows;
    std::map<Port, Resting> resting;
    Bindings bindings{};
};

/// The state a stored registry gives. What remains of a rest is at most `rules.port_rest`; one that
/// is over stays until advance_resting() has seen whether its router really went.
EdgeState restore_state(Registry stored, Roster roster, const EdgeRules& rules, Instant now);

/// Lets the ports rest to which Traefik's file leads from an earlier run and of which the registry
/// knows nothing, as after an older copy of it was put back.
void rest_forgotten(EdgeState& state, const std::map<Port, RowId>& routed, const EdgeRules& rules,
                    Instant now);

/// The registry as it is to be stored.
Registry registry_of(const EdgeState& state);
/// Whether that is what is stored; thousands of rows are not copied to find out.
bool is_stored_as(const EdgeState& state, const Registry& stored);

/// Why a `/register` was refused.
enum class RegisterRefusal {
    unauthorized,
    odd_id,
    odd_token,
    odd_hostname,
    hostname_fixed,
    hostname_held,
    enrolment_full,
    no_port,
};

/// Why a `/relay` was refused.
enum class RelayRefusal { unauthorized, no_relay_zone };

enum class DeregisterOutcome { done, unauthorized };

enum class JoinOutcome { done, unauthorized, no_member, another_node };

/// What a `/relay` came to. The routes in the answer are not known before all calls are decided.
struct RelayDecision {
    RelayAnswer answer;
    BindingNews bindings;
};

using RegisterOutcome = std::variant<Port, RegisterRefusal>;
using RelayOutcome = std::variant<RelayDecision, RelayRefusal>;

/// What a batch asks the enrolment directory to remember.
struct EnrolmentChanges {
    std::vector<std::pair<EnrolledTenant, Token>> added;
    std::vector<EnrolledTenant> renamed;

    bool empty() const { return added.empty() && renamed.empty(); }
};

/// Calls that are decided one after another and committed together.
class EdgeBatch {
public:
    EdgeBatch(EdgeState& state, const EdgeRules& rules, Instant now);

    RegisterOutcome register_tenant(const RegisterCall& call);
    DeregisterOutcome deregister(const std::string& id, const std::string& token);
    RelayOutcome relay(const RelayCall& call);
    /// Records when a member of the mesh lends its processors.
    JoinOutcome join(const ClusterJoinCall& call);

    const EnrolmentChanges& enrolments() const { return m_enrolments; }

private:
    std::optional<RegisterRefusal> admit_known(const DnsLabel& id, const DnsName& hostname);
    void rename(const DnsLabel& id, const DnsName& hostname);
    std::optional<RegisterRefusal> enrol(const RegisterCall& call);
    std::optional<Port> hold_port(const RowId& id, const DnsName& hostname);

    EdgeState& m_state;
    const EdgeRules& m_rules;
    Instant m_now;
    PortPool m_pool;
    EnrolmentChanges m_enrolments;
};

/// Takes a row out; its port rests from now on.
void remove_row(EdgeState& state, const RowId& id, const EdgeRules& rules, Instant now);

/// The rows nobody vouches for any more: their tenant or spoke is no longer in the roster, a
/// relayed hostname no longer fits the spoke's zone, or an enrolled or relayed one is reserved by
/// now. To be removed.
std::vector<RowId> find_orphans(const EdgeState& state, const EdgeRules& rules);

/// Why a row of find_orphans() is one.
std::string_view explain_orphan(const EdgeState& state, const RowId& id);

/// Forgets the windows of those who are no members of the mesh any more, and says whose.
std::vector<DnsLabel> drop_windows(EdgeState& state);

/// Makes the rows of direct tenants carry the hostnames of the roster.
void follow_roster_hostnames(EdgeState& state);

/// Begins the rest of every port whose row went and whose router is gone, and forgets those that
/// have rested. `still_routed` are the ports Traefik's file still names: theirs has not begun.
void advance_resting(EdgeState& state, std::vector<Port> still_routed, const EdgeRules& rules,
                     Instant now);

} // namespace losos
