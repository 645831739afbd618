// GET /api/edge and GET /api/gates, for programs and pages of this box alone.
#pragma once

#include "core/edge_document.h"
#include "io/http_server.h"

#include <functional>

namespace losos {

/// `describe` is called by any thread.
void add_edge_routes(HttpServer& server, std::function<EdgeDocument()> describe);

} // namespace losos
