// `lososd-pathd serve`: the daemon.
#pragma once

#include "serve_options.h"

namespace losos {

/// Runs until SIGTERM or SIGINT.
Result<void> serve(const ServeOptions& options);

} // namespace losos
