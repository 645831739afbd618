// GET /identity and /identity/public-key: an edge says who it is, to anybody.
#pragma once

#include "caller_table.h"
#include "io/http_server.h"

namespace losos {

/// Adds both routes. `published` must outlive the server.
void add_identity_routes(HttpServer& server, const Published& published);

} // namespace losos
