// `losos-registrar check`: what serve would render, on standard output, without secrets.
#pragma once

#include "serve_options.h"

namespace losos {

/// Reads every file as serve would and changes none. Fails as serve would fail.
Result<void> check(const ServeOptions& options);

} // namespace losos
