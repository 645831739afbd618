// What a registrar says at its start about a set-up that works, but not for long.
#pragma once

#include "serve_options.h"

#include <string>
#include <vector>

namespace losos {

/// One sentence each: nobody can register, no tunnels, a port range that overlaps the kernel's
/// ephemeral ports or needs more descriptors than this machine allows.
std::vector<std::string> start_warnings(const ServeOptions& options);

} // namespace losos
