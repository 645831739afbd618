// What `losos-edge status` says on a box: where its path leads, and how its edges are.
#pragma once

#include "core/edge_document.h"

#include <string>

namespace losos {

/// Lines for people, by what edge.json says.
std::string box_report_as_text(const EdgeDocument& document);

} // namespace losos
