// edge-path.env: the path a box has chosen to an edge (losos-announce(8)).
#pragma once

#include "base/result.h"
#include "core/network.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// How the edge was found.
enum class PathSource { lan, configured };

struct EdgePath {
    HttpUrl url;
    Endpoint rathole;
    PathSource source = PathSource::configured;
    /// The pin file of the edge's Noise key.
    std::string noise_pub_file;
    friend bool operator==(const EdgePath&, const EdgePath&) = default;
};

/// Fails unless all four lines are there and sound.
Result<EdgePath> parse_edge_path(std::string_view text);
/// Fails when a value would need quoting.
Result<std::string> render_edge_path(const EdgePath& path);

/// The name of the pin file of an edge: `<host>_<port>.pub` with odd characters as `_`.
std::string pin_file_name(const Endpoint& edge);

} // namespace losos
