#include "core/edge_table.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

constexpr int k_unavailable = 503;
/// Looks at a tunnel port that lie further apart are not of one time in use.
constexpr Duration k_tunnel_gap{20000};

bool leads_the_same_way(const EdgeWay& a, const EdgeWay& b) {
    return a.source == b.source && a.url == b.url && a.rathole == b.rathole;
}

bool is_lan(const EdgeRecord& record) {
    return record.source == PathSource::lan;
}

std::optional<NoUse> meaning_of(int status) {
    switch (status) {
    case 401:
    case 403:
    case 409:
        return NoUse::refused;
    case k_unavailable:
        return NoUse::busy;
    default:
        return std::nullopt;
    }
}

} // namespace

const ProbePatience& patience_with(PathSource source) {
    return source == PathSource::lan ? k_lan_patience : k_internet_patience;
}

std::optional<NoUse> ban_of(const EdgeRecord& edge, const WayRecord& way, MonotonicTime now) {
    if (edge.source == PathSource::configured) {
        return std::nullopt;
    }
    const auto of_edge = edge.ban.in_force(now);
    return of_edge ? of_edge : way.ban.in_force(now);
}

void EdgeTable::configure(const EdgeWay& way, std::string name) {
    EdgeRecord record{PathSource::configured, way.edge, std::move(name), {}, {}, {}, {}};
    record.ways.push_back({way, {}, {}, {}, 0, false, {}, {}});
    m_edges.push_back(std::move(record));
}

void EdgeTable::inherit(const EdgeWay& way, MonotonicTime now) {
    if (WayRecord* const known = find_way(way)) {
        known->health.presume_up(now);
        return;
    }
    if (way.source == PathSource::configured) {
        return;
    }
    EdgeRecord record{PathSource::lan, way.edge, way.edge.host(), {}, {}, now, {}};
    record.ways.push_back({way, {}, {}, {}, 0, false, {}, {}});
    record.ways.back().health.presume_up(now);
    m_edges.push_back(std::move(record));
}

void EdgeTable::set_lan(const std::vector<LanEdge>& edges, const std::optional<EdgeWay>& current,
                        MonotonicTime now) {
    for (EdgeRecord& record : m_edges) {
        const bool is_there =
            std::any_of(edges.begin(), edges.end(),
                        [&record](const LanEdge& edge) { return edge.edge == record.edge; });
        if (is_lan(record) && !is_there) {
            miss(record, now);
        }
    }
    for (const LanEdge& edge : edges) {
        adopt(edge);
        if (EdgeRecord* const known = find_edge(PathSource::lan, edge.edge)) {
            update(*known, edge, current);
            continue;
        }
        const auto count = std::count_if(m_edges.begin(), m_edges.end(), is_lan);
        if (static_cast<std::size_t>(count) < k_lan_edges_max) {
            m_edges.push_back({PathSource::lan, edge.edge, edge.name, {}, {}, {}, {}});
            update(m_edges.back(), edge, current);
        }
    }
    forget_gone(current, now);
}

/// What an earlier run chose is known by what it dialled alone, until an advert says whose it is.
void EdgeTable::adopt(const LanEdge& edge) {
    if (find_edge(PathSource::lan, edge.edge) != nullptr) {
        return;
    }
    for (const EdgeWay& way : edge.ways) {
        for (EdgeRecord& record : m_edges) {
            if (is_lan(record) && record.missing_since && record.ways.size() == 1 &&
                leads_the_same_way(record.ways.front().way, way)) {
                record.edge = edge.edge;
                record.ways.front().way.edge = edge.edge;
                return;
            }
        }
    }
}

void EdgeTable::update(EdgeRecord& record, const LanEdge& edge,
                       const std::optional<EdgeWay>& current) {
    std::vector<WayRecord> ways;
    const bool is_back = record.missing_since.has_value();
    bool is_changed = false;
    for (const EdgeWay& way : edge.ways) {
        const auto known = std::find_if(record.ways.begin(), record.ways.end(),
                                        [&way](const WayRecord& each) { return each.way == way; });
        if (known != record.ways.end()) {
            ways.push_back(std::move(*known));
            record.ways.erase(known);
        } else {
            is_changed = true;
            ways.push_back({way, {}, {}, {}, 0, false, {}, {}});
        }
    }
    const bool has_lost_a_way = !record.ways.empty();
    const auto in_use = std::find_if(record.ways.begin(), record.ways.end(), [&](const auto& each) {
        return current && each.way == *current;
    });
    if (in_use != record.ways.end()) {
        in_use->is_asked_for = true;
        ways.push_back(std::move(*in_use));
    }
    if (is_changed) {
        record.ban.forget();
    }
    for (WayRecord& way : ways) {
        if (is_changed) {
            way.ban.forget();
        }
        // One that lies idle while a better one serves may not have been asked for a long time.
        way.is_asked_for = way.is_asked_for || is_changed || is_back || has_lost_a_way;
    }
    record.ways = std::move(ways);
    record.name = edge.name;
    record.missing_since.reset();
}

void EdgeTable::miss(EdgeRecord& record, MonotonicTime now) {
    if (record.missing_since) {
        return;
    }
    record.missing_since = now;
    for (WayRecord& way : record.ways) {
        way.is_asked_for = true;
    }
}

void EdgeTable::forget_gone(const std::optional<EdgeWay>& current, MonotonicTime now) {
    const auto is_gone = [&](const EdgeRecord& record) {
        const bool is_kept =
            std::any_of(record.ways.begin(), record.ways.end(), [&](const auto& way) {
                return (current && way.way == *current) || ban_of(record, way, now);
            });
        return record.missing_since && now - *record.missing_since >= k_remembered_for && !is_kept;
    };
    m_edges.erase(std::remove_if(m_edges.begin(), m_edges.end(), is_gone), m_edges.end());
}

void EdgeTable::set_search(LanSearch search, MonotonicTime now) {
    if (search == LanSearch::unavailable && m_search != search) {
        for (EdgeRecord& record : m_edges) {
            // What was missing long before Avahi went is not back.
            if (record.missing_since && now - *record.missing_since < k_advert_grace) {
                record.missing_since.reset();
            }
        }
    }
    m_was_searched = m_was_searched || search != LanSearch::searching;
    m_search = search;
}

void EdgeTable::probe_sent(const EdgeWay& way, MonotonicTime now) {
    if (WayRecord* const record = find_way(way)) {
        record->last_sent = now;
        record->is_asked_for = false;
        record->is_cut_off = false;
        ++record->in_flight;
    }
}

void EdgeTable::probed(const EdgeWay& way, ProbeResult result, MonotonicTime sent,
                       MonotonicTime now) {
    WayRecord* const record = find_way(way);
    if (record == nullptr) {
        return;
    }
    record->in_flight = std::max(0, record->in_flight - 1);
    record->health.probed(result, sent, now, patience_with(way.source));
    if (result == ProbeResult::wrong_key) {
        record->ban.strike(NoUse::wrong_key, now);
    }
}

void EdgeTable::cut_off(const EdgeWay& way) {
    if (WayRecord* const record = find_way(way)) {
        record->is_cut_off = true;
    }
}

void EdgeTable::tunnel_asked(const EdgeWay& way, MonotonicTime now) {
    if (WayRecord* const record = find_way(way)) {
        // It was not in use meanwhile: what was found then says nothing of now.
        if (record->tunnel_asked && now - *record->tunnel_asked > k_tunnel_gap) {
            record->tunnel_shut_since.reset();
        }
        record->tunnel_asked = now;
        record->is_tunnel_asked_for = false;
    }
}

void EdgeTable::taken(const EdgeWay& way) {
    if (WayRecord* const record = find_way(way)) {
        record->is_tunnel_asked_for = true;
    }
}

void EdgeTable::tunnel_answered(const EdgeWay& way, bool taken, MonotonicTime asked,
                                MonotonicTime now) {
    WayRecord* const record = find_way(way);
    if (record == nullptr) {
        return;
    }
    if (taken) {
        record->tunnel_shut_since.reset();
        record->health.tunnel_taken(asked);
        return;
    }
    record->health.tunnel_shut();
    if (!record->tunnel_shut_since) {
        record->tunnel_shut_since = asked;
    }
    if (now - *record->tunnel_shut_since >= k_tunnel_patience) {
        record->tunnel_shut_since.reset();
        record->ban.strike(NoUse::no_tunnel, now);
    }
}

void EdgeTable::set_refusals(const std::vector<AnnounceRefusal>& refusals, UnixTime unix_now,
                             MonotonicTime now) {
    for (const AnnounceRefusal& refusal : refusals) {
        const auto reason = meaning_of(refusal.status);
        // Of an earlier run of the program, which has served its time.
        const bool is_old =
            unix_now - refusal.at >= std::chrono::duration_cast<UnixTime>(k_ban_first);
        for (EdgeRecord& record : m_edges) {
            const bool is_of_it =
                std::any_of(record.ways.begin(), record.ways.end(),
                            [&](const auto& way) { return way.way.url == refusal.url; });
            if (!is_lan(record) || !is_of_it || record.refusal_seen == refusal.at) {
                continue;
            }
            record.refusal_seen = refusal.at;
            if (reason && !is_old) {
                record.ban.strike(*reason, now);
            }
        }
    }
}

void EdgeTable::pin_changed(const Endpoint& edge) {
    if (EdgeRecord* const record = find_edge(PathSource::lan, edge)) {
        record->ban.forget();
        for (WayRecord& way : record->ways) {
            way.ban.forget();
            way.is_asked_for = true;
        }
    }
}

void EdgeTable::probe_all() {
    for (EdgeRecord& record : m_edges) {
        for (WayRecord& way : record.ways) {
            way.is_asked_for = true;
        }
    }
}

const WayRecord* EdgeTable::find(const EdgeWay& way) const {
    for (const EdgeRecord& record : m_edges) {
        for (const WayRecord& each : record.ways) {
            if (each.way == way) {
                return &each;
            }
        }
    }
    return nullptr;
}

std::optional<EdgeWay> EdgeTable::find_same_way(const EdgeWay& way) const {
    for (const EdgeRecord& record : m_edges) {
        for (const WayRecord& each : record.ways) {
            if (leads_the_same_way(each.way, way)) {
                return each.way;
            }
        }
    }
    return std::nullopt;
}

WayRecord* EdgeTable::find_way(const EdgeWay& way) {
    return const_cast<WayRecord*>(std::as_const(*this).find(way));
}

EdgeRecord* EdgeTable::find_edge(PathSource source, const Endpoint& edge) {
    const auto found = std::find_if(m_edges.begin(), m_edges.end(), [&](const EdgeRecord& each) {
        return each.source == source && each.edge == edge;
    });
    return found == m_edges.end() ? nullptr : &*found;
}

std::size_t EdgeTable::probes_in_flight() const {
    std::size_t count = 0;
    for (const EdgeRecord& record : m_edges) {
        for (const WayRecord& way : record.ways) {
            count += static_cast<std::size_t>(way.in_flight);
        }
    }
    return count;
}

} // namespace losos
