// What the API's threads know without asking the reconciler: who may call, and who is registered.
// A table is never changed once published; the presence records it points to are atomics.
#pragma once

#include "base/duration.h"
#include "base/guarded.h"
#include "core/compute_nodes.h"
#include "core/identity.h"
#include "core/pass_update.h"
#include "core/rathole_config.h"
#include "core/relay_pass_key.h"
#include "core/roster.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace losos {

/// When a registered tenant was last heard, and the pass it last showed.
class Presence {
public:
    explicit Presence(MonotonicTime now) : m_last_contact(now.count()) {}

    MonotonicTime last_contact() const { return MonotonicTime{m_last_contact.load()}; }
    /// Moves the last contact forward, never back.
    void heard(MonotonicTime when);
    /// Whether the update changed the pass.
    bool update_pass(const PassUpdate& update);
    std::optional<RelayPass> pass() const { return m_pass.copy(); }
    /// Takes what a heartbeat says of its idleness, if anything. Whether that changed anything.
    bool update_idle(std::optional<bool> idle, MonotonicTime when);
    HeardIdleness idleness() const { return m_idleness.copy(); }

private:
    std::atomic<long long> m_last_contact;
    Guarded<HeardIdleness> m_idleness;
    Guarded<std::optional<RelayPass>> m_pass;
};

/// The presence of every registered direct tenant.
using PresenceMap = std::map<RowId, std::shared_ptr<Presence>>;

/// An immutable view for the API's threads.
class CallerTable {
public:
    CallerTable() = default;
    CallerTable(const Roster& roster, const PresenceMap& presences);

    struct Caller {
        /// Whether the token proved the id.
        CallerVerdict verdict = CallerVerdict::unknown;
        /// nullptr unless accepted and registered.
        std::shared_ptr<Presence> presence;
        /// Whether it may join the mesh; false unless accepted.
        bool is_member = false;
    };
    /// In the same time for known and unknown ids.
    Caller find(const std::string& id, const std::string& token) const;

private:
    struct Row {
        std::optional<Digest> token;
        std::shared_ptr<Presence> presence;
        bool is_member = false;
    };
    std::unordered_map<std::string, Row> m_rows;
};

/// With what an edge proves who it is.
struct EdgeIdentity {
    IdentityKey key;
    /// nullopt while nobody calls it official.
    std::optional<IdentityCertificate> certificate;
};

/// What the reconciler publishes and the API's threads copy.
struct Published {
    Guarded<std::shared_ptr<const CallerTable>> callers{std::make_shared<const CallerTable>()};
    /// nullopt when Noise is off.
    Guarded<std::optional<NoiseKey>> noise_public_key;
    /// nullptr while the edge has no identity.
    Guarded<std::shared_ptr<const EdgeIdentity>> identity;
    /// With what passes are made; nullopt while the route table is off.
    Guarded<std::optional<RelayPassKey>> relay_pass_key;
};

} // namespace losos
