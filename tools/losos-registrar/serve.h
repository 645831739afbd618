// `losos-registrar serve`: the daemon.
#pragma once

#include "reconciler.h"
#include "serve_options.h"

namespace losos {

/// Everything serve and check read before they do anything.
Result<Reconciler::Start> read_start(const ServeOptions& options);

/// Runs until SIGTERM or SIGINT.
Result<void> serve(const ServeOptions& options);

} // namespace losos
