// The routes of the registrar's HTTP API (losos-registrar(8)): parse, decide, render.
#pragma once

#include "caller_table.h"
#include "inbox.h"
#include "io/http_server.h"
#include "mesh_door.h"

#include <functional>

namespace losos {

/// What the routes answer from.
struct ApiContext {
    const Published& published;
    Inbox& inbox;
    bool enrolment_open;
    /// Whether this edge is set up for custom domains.
    bool has_domains;
    MeshDoor& mesh;
    /// Called when a heartbeat changed what a file hands on: a pass, or the idleness of a member of
    /// the mesh.
    std::function<void()> news;
};

/// Adds every route to the server. `context` must outlive it.
void add_routes(HttpServer& server, const ApiContext& context);

} // namespace losos
