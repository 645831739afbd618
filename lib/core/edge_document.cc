#include "core/edge_document.h"

#include "base/format.h"
#include "base/json_writer.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

UnixTime as_unix(MonotonicTime moment, const TimePair& time) {
    return time.unix_now + std::chrono::duration_cast<UnixTime>(moment - time.now);
}

/// The way that stands for an edge: the one in use, else the first that answers, else the best.
const WayRecord* way_to_show(const EdgeRecord& edge, const std::optional<EdgeWay>& current) {
    const auto find = [&edge](auto is_it) {
        return std::find_if(edge.ways.begin(), edge.ways.end(), is_it);
    };
    auto way = find([&](const WayRecord& each) { return current && each.way == *current; });
    if (way == edge.ways.end()) {
        way = find([](const WayRecord& each) { return each.health.is_usable(); });
    }
    if (way == edge.ways.end()) {
        way = edge.ways.begin();
    }
    return way == edge.ways.end() ? nullptr : &*way;
}

EdgeDocument::Candidate describe_candidate(const EdgeRecord& edge, const WayRecord& way,
                                           const TimePair& time) {
    EdgeDocument::Candidate candidate{edge.name,          way.way.url,  edge.source,
                                      way.health.state(), std::nullopt, std::nullopt};
    if (const auto& last = way.health.last()) {
        candidate.probe = {last->result, as_unix(last->at, time)};
    }
    if (const auto reason = ban_of(edge, way, time.now)) {
        const auto until = edge.ban.in_force(time.now) ? edge.ban.until() : way.ban.until();
        candidate.ban = {*reason, as_unix(until, time)};
    }
    return candidate;
}

} // namespace

EdgeDocument describe_edges(const EdgeTable& table, const PathState& state,
                            const std::vector<HttpUrl>& official, const TimePair& time) {
    EdgeDocument document;
    document.reachable = state.way().has_value();
    document.lan_searched = table.was_searched() && table.search() != LanSearch::unavailable;
    document.checked_at = time.unix_now;
    document.reason = state.reason();
    for (const EdgeRecord& edge : table.edges()) {
        const WayRecord* const shown = way_to_show(edge, state.way());
        if (shown == nullptr) {
            continue;
        }
        const auto& way = shown->way;
        if (edge.source == PathSource::configured) {
            document.configured_url = way.url;
        }
        if (state.way() == way) {
            document.path = EdgeDocument::Path{edge.name, way.url, way.rathole, way.source};
        }
        auto candidate = describe_candidate(edge, *shown, time);
        if (shown->health.is_usable() && !candidate.ban) {
            const bool is_official =
                std::find(official.begin(), official.end(), way.url) != official.end();
            document.official = document.official || is_official;
            document.edges.push_back({edge.name, way.url, edge.source, is_official, way.rathole});
        }
        document.candidates.push_back(std::move(candidate));
    }
    return document;
}

Gate judge_sharing(const EdgeDocument& edges) {
    if (!edges.reachable) {
        return {false, edges.reason.empty() ? std::string(describe(ChoiceReason::none_answers))
                                            : edges.reason};
    }
    return {true, edges.path ? format("this box is on the path to {}", edges.path->name)
                             : "an edge is reachable"};
}

Gate judge_market(const EdgeDocument& edges) {
    if (!edges.official) {
        return {false, "no official edge is reachable"};
    }
    return {true, "an official edge is reachable"};
}

std::string render_gates(const EdgeDocument& edges) {
    const auto sharing = judge_sharing(edges);
    const auto market = judge_market(edges);
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.key("sharing").begin_object();
    json.boolean("allowed", sharing.open);
    json.text("reason", sharing.reason);
    json.end_object();
    json.key("market").begin_object();
    json.boolean("available", market.open);
    json.text("reason", market.reason);
    json.end_object();
    json.end_object();
    return std::move(json).finish();
}

} // namespace losos
