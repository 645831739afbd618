// Directories that whoever sets up an edge makes, and that are not there.
#pragma once

#include "serve_options.h"

#include <string>
#include <vector>

namespace losos {

/// One sentence for each directory that `serve` has to write to and does not make. The units make
/// the registrar's own two, which are not there before its first start or while it is stopped.
std::vector<std::string> missing_directories(const ServeOptions& options);

} // namespace losos
