// The edges a box knows of, and what it has learnt of each: whether it is advertised, how its
// probes went, whether it was any use. Events and times go in; the choice (edge_choice.h) and the
// plan of probes (probe_plan.h) read it.
#pragma once

#include "core/lan_edges.h"
#include "core/use_ban.h"
#include "core/way_health.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// More LAN edges are not looked at; known ones are never displaced by newcomers.
inline constexpr std::size_t k_lan_edges_max = 256;
/// How long the advert of a chosen edge may be missing.
inline constexpr Duration k_advert_grace{10000};
/// How long an edge is remembered after its advert vanished.
inline constexpr Duration k_remembered_for{std::chrono::minutes(10)};
/// How long a tunnel port may take no connection.
inline constexpr Duration k_tunnel_patience{30000};

/// What the search for edges on the LAN is up to.
enum class LanSearch {
    /// Not a whole first answer so far.
    searching,
    /// What was found is all there is.
    done,
    /// Avahi is not there.
    unavailable,
};

/// A way, and what was learnt of it.
struct WayRecord {
    EdgeWay way;
    WayHealth health;
    UseBan ban;
    std::optional<MonotonicTime> last_sent;
    /// Probes without an outcome so far.
    int in_flight = 0;
    /// To be probed now, whatever its pace.
    bool is_asked_for = false;
    std::optional<MonotonicTime> tunnel_asked;
    /// Since when its tunnel port has taken no connection.
    std::optional<MonotonicTime> tunnel_shut_since;
    /// Its tunnel port is to be looked at now, whatever the pause.
    bool is_tunnel_asked_for = false;
    /// The connection its probes share ended between two of them.
    bool is_cut_off = false;
};

struct EdgeRecord {
    PathSource source = PathSource::lan;
    Endpoint edge;
    std::string name;
    /// Best first. What is no longer advertised stays at the end while it is chosen.
    std::vector<WayRecord> ways;
    /// Of announce's refusals, which are the edge's whatever way was taken.
    UseBan ban;
    /// Since when its advert has been missing; nullopt while it is there, and for the configured
    /// edge.
    std::optional<MonotonicTime> missing_since;
    /// The `at` of the latest refusal that was looked at.
    std::optional<UnixTime> refusal_seen;
};

/// One entry of refused.json, as far as it matters here.
struct AnnounceRefusal {
    HttpUrl url;
    int status = 0;
    UnixTime at{0};
};

class EdgeTable {
public:
    explicit EdgeTable(MonotonicTime now) : m_started(now) {}

    /// The edge of --registrar-url and --edge-rathole-endpoint.
    void configure(const EdgeWay& way, std::string name);
    /// The path that an earlier run of the program chose: it stays while it answers, and a LAN edge
    /// until its advert has been missing too long.
    void inherit(const EdgeWay& way, MonotonicTime now);

    /// What is on the LAN now. An edge that is new, has changed or has just vanished is probed at
    /// once. `current`: the way in use, which outlives its advert.
    void set_lan(const std::vector<LanEdge>& edges, const std::optional<EdgeWay>& current,
                 MonotonicTime now);
    /// While Avahi is not there, nobody's advert is missing; once it is back, what it does not
    /// find again is. Between the two, set_lan() is not called.
    void set_search(LanSearch search, MonotonicTime now);

    void probe_sent(const EdgeWay& way, MonotonicTime now);
    void probed(const EdgeWay& way, ProbeResult result, MonotonicTime sent, MonotonicTime now);
    /// The connection that probes share ended between two of them: its registrar stops, maybe.
    void cut_off(const EdgeWay& way);
    void tunnel_asked(const EdgeWay& way, MonotonicTime now);
    void tunnel_answered(const EdgeWay& way, bool taken, MonotonicTime asked, MonotonicTime now);
    /// The way is in use from now on: its tunnel port may have opened since it was looked at last.
    void taken(const EdgeWay& way);
    /// The whole of refused.json, as often as it is read.
    void set_refusals(const std::vector<AnnounceRefusal>& refusals, UnixTime unix_now,
                      MonotonicTime now);
    void pin_changed(const Endpoint& edge);
    /// The box's network changed: everybody is probed now.
    void probe_all();

    const std::vector<EdgeRecord>& edges() const { return m_edges; }
    const WayRecord* find(const EdgeWay& way) const;
    /// The way that dials the same, whoever's it is; nullopt when there is none.
    std::optional<EdgeWay> find_same_way(const EdgeWay& way) const;
    LanSearch search() const { return m_search; }
    bool was_searched() const { return m_was_searched; }
    MonotonicTime started() const { return m_started; }
    std::size_t probes_in_flight() const;

private:
    WayRecord* find_way(const EdgeWay& way);
    EdgeRecord* find_edge(PathSource source, const Endpoint& edge);
    void adopt(const LanEdge& edge);
    void update(EdgeRecord& record, const LanEdge& edge, const std::optional<EdgeWay>& current);
    void miss(EdgeRecord& record, MonotonicTime now);
    void forget_gone(const std::optional<EdgeWay>& current, MonotonicTime now);

    MonotonicTime m_started;
    LanSearch m_search = LanSearch::searching;
    bool m_was_searched = false;
    std::vector<EdgeRecord> m_edges;
};

/// The patience a way's source calls for.
const ProbePatience& patience_with(PathSource source);

/// What keeps a way from use now, if anything does.
std::optional<NoUse> ban_of(const EdgeRecord& edge, const WayRecord& way, MonotonicTime now);

} // namespace losos
