// The files by which a box tells its tunnel units and its owner which edge it is on.
#pragma once

#include "serve_options.h"

#include "core/edge_document.h"
#include "files/edge_path_env_file.h"

#include <optional>
#include <string_view>

namespace losos {

class PathWriter {
public:
    explicit PathWriter(const ServeOptions& options);

    /// The path that an earlier run left; nullopt where there is none to go on with.
    std::optional<EdgePath> read_inherited();
    /// The path that a way makes. One that an earlier run left keeps its pin: what it dials does
    /// not say whose it is.
    EdgePath path_to(const EdgeWay& way) const;

    /// Makes the files say this. Quick while nothing has changed but times. The state's files come
    /// first: the tunnel waits for them.
    Result<void> write(const PathState& state, const EdgeDocument& document);
    /// Somebody may have changed the file of that name: the next write() looks at all of them.
    void doubt(std::string_view name);

private:
    Result<void> write_path(const PathState& state);
    Result<void> write_document(const EdgeDocument& document);

    const ServeOptions& m_options;
    std::optional<EdgePath> m_inherited;
    std::optional<PathOrder> m_order;
    std::optional<EdgeDocument> m_document;
};

} // namespace losos
