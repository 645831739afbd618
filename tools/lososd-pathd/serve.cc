#include "serve.h"

#include "api.h"
#include "box_secrets.h"
#include "lan_watch.h"
#include "path_driver.h"

#include "base/file.h"
#include "io/notify.h"

#include <malloc.h>

namespace losos {

namespace {

constexpr mode_t k_run_dir_mode = 0755;
/// A handshake of TLS, and the library's expression for a status line.
constexpr std::size_t k_stack_bytes = 1024UL * 1024;

HttpLimits api_limits() {
    HttpLimits limits;
    limits.body_bytes = 1024;
    limits.requests_in_flight = 16;
    limits.connections = 64;
    return limits;
}

/// Once the port is this program's own: a second one must leave the first one's files alone.
Result<void> prepare(const ServeOptions& options) {
    TRY(make_directory(options.run_dir, k_run_dir_mode));
    if (!options.no_drive) {
        TRY(make_token_if_missing(options.box.token_file));
        TRY(make_token_if_missing(options.box.bootstrap_token_file));
    }
    return {};
}

} // namespace

Result<void> serve(const ServeOptions& options) {
    // An arena for each thread that comes and goes would cost more than all else.
    mallopt(M_ARENA_MAX, 1);
    TRY_ASSIGN(const auto loop, EventLoop::make());
    TRY_ASSIGN(const auto server, HttpServer::bind(options.listen->address.text(),
                                                   options.listen->port.number(), api_limits()));
    TRY(prepare(options));
    TRY_ASSIGN(const auto tasks, LoopTasks::make(*loop));
    WorkerThreads threads(k_stack_bytes);
    PathDriver driver(options, *loop, *tasks, threads);
    TRY(driver.start());
    TRY_ASSIGN(const auto lan, LanWatch::start(*loop, *tasks, threads,
                                               {[&driver](LanSearch search, const auto& edges) {
                                                    driver.set_lan(search, edges);
                                                },
                                                [&driver] {
                                                    driver.probe_all();
                                                }}));
    add_edge_routes(*server, [&driver] { return driver.document(); });
    server->start();
    notify_ready(driver.status());
    TRY(loop->run());
    notify_stopping();
    server->stop();
    threads.join();
    return {};
}

} // namespace losos
