#include "api.h"

#include "core/local_host.h"
#include "files/edge_file.h"

#include <string>
#include <utility>

namespace losos {

namespace {

HttpServer::Route for_this_machine(std::function<std::string()> render) {
    return [render = std::move(render)](const HttpRequest& request) {
        return names_this_machine(request.host)
                   ? json_reply(200, render())
                   : text_reply(403, "this answers to localhost, 127.0.0.1 and [::1] only");
    };
}

} // namespace

void add_edge_routes(HttpServer& server, std::function<EdgeDocument()> describe) {
    server.route("GET", "/api/edge",
                 for_this_machine([describe] { return edge_file::render(describe()); }));
    server.route("GET", "/api/gates",
                 for_this_machine([describe] { return render_gates(describe()); }));
}

} // namespace losos
