// What `losos-edge status` says on a box: where its path leads, how its edges are, and under which
// custom domains it is reached.
#pragma once

#include "core/domain_name.h"
#include "core/edge_document.h"

#include <string>
#include <vector>

namespace losos {

/// Lines for people, by what edge.json says; `domains` are the live ones.
std::string box_report_as_text(const EdgeDocument& document,
                               const std::vector<CustomDomain>& domains);

} // namespace losos
