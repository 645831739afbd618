// `losos-edge boxes -l`: what is known of each box beside its name and port.
#pragma once

#include "edge_files.h"

#include "base/result.h"
#include "core/registry.h"

#include <map>
#include <string>

namespace losos {

using BoxRows = std::map<RowId, RegistryRow>;

/// A line each: last contact, by which right it is here, and what the hub makes of it.
Result<std::string> box_list_as_text(const EdgeFiles& files, const BoxRows& rows);
/// One JSON document.
Result<std::string> box_list_as_json(const EdgeFiles& files, const BoxRows& rows);

} // namespace losos
