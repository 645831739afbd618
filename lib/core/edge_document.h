// What a box says of its edges: the document of edge.json and GET /api/edge, and the two gates that
// are judged by it.
#pragma once

#include "core/path_state.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

struct EdgeDocument {
    /// An edge in reach: it answers, and may be used.
    struct Edge {
        std::string name;
        HttpUrl url;
        PathSource source = PathSource::lan;
        bool official = false;
        Endpoint rathole;
        friend bool operator==(const Edge&, const Edge&) = default;
    };
    struct Probe {
        ProbeResult result = ProbeResult::no_answer;
        UnixTime at{0};
        friend bool operator==(const Probe&, const Probe&) = default;
    };
    /// Why it is no candidate for now, and until when.
    struct Ban {
        NoUse reason = NoUse::wrong_key;
        UnixTime until{0};
        friend bool operator==(const Ban&, const Ban&) = default;
    };
    /// Every edge the box knows of, in reach or not.
    struct Candidate {
        std::string name;
        HttpUrl url;
        PathSource source = PathSource::lan;
        HealthState state = HealthState::untried;
        std::optional<Probe> probe;
        std::optional<Ban> ban;
        friend bool operator==(const Candidate&, const Candidate&) = default;
    };
    struct Path {
        std::string name;
        HttpUrl url;
        Endpoint rathole;
        PathSource source = PathSource::lan;
        friend bool operator==(const Path&, const Path&) = default;
    };

    /// Whether there is a path.
    bool reachable = false;
    /// Whether an edge in reach is official.
    bool official = false;
    std::vector<Edge> edges;
    bool lan_searched = false;
    std::optional<HttpUrl> configured_url;
    UnixTime checked_at{0};
    std::optional<Path> path;
    std::string reason;
    std::vector<Candidate> candidates;
    friend bool operator==(const EdgeDocument&, const EdgeDocument&) = default;
};

/// Both clocks, read at one moment.
struct TimePair {
    MonotonicTime now{0};
    UnixTime unix_now{0};
};

/// `official`: the URLs whose edges proved to be official when dialled.
EdgeDocument describe_edges(const EdgeTable& table, const PathState& state,
                            const std::vector<HttpUrl>& official, const TimePair& time);

/// A gate and why it stands as it does.
struct Gate {
    bool open = false;
    std::string reason;
    friend bool operator==(const Gate&, const Gate&) = default;
};

/// Whether sharing may be turned on: an edge is reachable.
Gate judge_sharing(const EdgeDocument& edges);
/// Whether the market is available: an official edge is.
Gate judge_market(const EdgeDocument& edges);

/// The document of GET /api/gates.
std::string render_gates(const EdgeDocument& edges);

} // namespace losos
