// A box's path and its registration there: the rules of `losos-edge doctor` on a box.
#pragma once

#include "core/doctor.h"
#include "core/edge_document.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Whether there is a path, and whether the LAN could be searched for a better one; and one check
/// for each edge that is no use for now.
std::vector<Check> check_path(const EdgeDocument& edges);

/// What losos-announce has left behind.
struct AnnounceFacts {
    /// The edge it last registered with.
    std::optional<HttpUrl> registered_at;
    struct Refusal {
        HttpUrl url;
        int status = 0;
    };
    std::vector<Refusal> refusals;
};

/// Whether the box is registered with the edge of its path, and one check for each edge that
/// refused it.
std::vector<Check> check_registration(const HttpUrl& path, const AnnounceFacts& facts);

/// One check for each edge that refused the box; what a box without a path has to go by.
std::vector<Check> check_refusals(const AnnounceFacts& facts);

} // namespace losos
