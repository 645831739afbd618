// The path a box is on, from one choice to the next, and what the tunnel units are to find of it.
#pragma once

#include "base/result.h"
#include "core/edge_choice.h"

#include <optional>
#include <string>

namespace losos {

class PathState {
public:
    /// Nothing chosen so far.
    explicit PathState(MonotonicTime now) : m_since(now) {}
    /// On the path that an earlier run of the program chose.
    static PathState inherited(const EdgeWay& way, MonotonicTime now);

    enum class Change { same, changed };
    /// Chooses again; `changed` when another way, or none, is to be used from now on.
    Change update(const EdgeTable& table, MonotonicTime now);

    const std::optional<EdgeWay>& way() const { return m_way; }
    Beginning beginning() const { return m_beginning; }
    /// Since when it has been this path.
    MonotonicTime since() const { return m_since; }
    /// Why the box came to this path, and how that stands now; for edge.json and the log.
    std::string reason() const;

private:
    std::optional<EdgeWay> m_way;
    Beginning m_beginning = Beginning::first_choice;
    MonotonicTime m_since;
    /// The choice that led here, and the latest one.
    EdgeChoice m_taken;
    EdgeChoice m_latest;
    bool m_is_inherited = false;
};

/// Where the pins are that the path names.
struct PinPlaces {
    std::string pins_dir;
    /// Of the configured edge.
    std::string noise_public_key_file;
};

/// What the tunnel units are to find.
struct PathOrder {
    enum class Kind {
        /// The env file and the marker stay as they are.
        leave_alone,
        /// The env file holds `env`, and there is no marker.
        take,
        /// There is a marker and no env file.
        stop,
    };
    Kind kind = Kind::leave_alone;
    std::string env;
};

enum class ConfiguredEdge { none, given };

/// While nothing is chosen the units dial the configured edge; where none is, they wait. Fails when
/// a value would need quoting: such an edge is not to be made a candidate.
Result<PathOrder> order_of(const PathState& state, ConfiguredEdge configured,
                           const PinPlaces& places);

/// The path that a way makes.
EdgePath path_by(const EdgeWay& way, const PinPlaces& places);
/// The way of a path that an earlier run wrote; what it dialled stands for whose it was.
EdgeWay way_of(const EdgePath& path);

} // namespace losos
