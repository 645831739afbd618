// `losos-edge boxes` and `losos-edge forget`.
#pragma once

#include "edge_files.h"

#include "base/result.h"
#include "core/names.h"

namespace losos {

enum class BoxDetail { names_and_ports, all };

/// Prints everybody who is registered here.
Result<void> show_boxes(const EdgeFiles& files, BoxDetail detail);

/// Takes back the enrolment of a box. Fails when no such box has enrolled, and says where its row
/// comes from if it has one.
Result<void> forget_box(const EdgeFiles& files, const RowId& id);

} // namespace losos
