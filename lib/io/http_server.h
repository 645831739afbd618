// The HTTP server of cpp-httplib, bounded as losos-registrar(8) promises: a cap on bodies, a
// deadline per request, limits per source, per server and on requests in flight. The only user of
// httplib's server. It knows nothing of LosOS: routes are functions from a request to a reply.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace losos {

/// A wholly received request.
struct HttpRequest {
    std::string body;
    /// What the caller calls this server: the Host header, empty when there is none.
    std::string host;
    /// The value of a query parameter, empty when it is absent.
    std::function<std::string(std::string_view name)> query;
    /// When the caller's five seconds are over.
    MonotonicTime deadline;
};

/// What a route answers.
struct HttpReply {
    int status = 200;
    std::string body;
    std::string content_type = "text/plain; charset=utf-8";
};

/// A JSON document as a reply.
HttpReply json_reply(int status, std::string body);
/// One plain sentence as a reply; a line feed is added.
HttpReply text_reply(int status, std::string sentence);

/// The bounds; the defaults are those of losos-registrar(8).
struct HttpLimits {
    std::size_t body_bytes = 64 * 1024;
    int requests_in_flight = 64;
    int per_source = 8;
    int connections = 512;
    Duration per_request{5000};
};

/// What the server counted so far.
struct HttpCounters {
    std::uint64_t requests = 0;
    std::uint64_t shed = 0;
    int in_flight = 0;
    int connections = 0;
    /// Those that answer, busy or not; they go a while after a crowd has gone.
    std::size_t threads = 0;
    /// When a request or connection was last shed; nullopt when none ever was.
    std::optional<MonotonicTime> last_shed;
    /// What the routes answered, by path and status.
    std::map<std::pair<std::string, int>, std::uint64_t> answered;
};

/// A listening server. Requests are answered on its own threads from start() to stop().
class HttpServer {
public:
    using Route = std::function<HttpReply(const HttpRequest&)>;

    /// Binds the numeric address; fails with the sentence an operator needs (address in use, …).
    static Result<std::unique_ptr<HttpServer>> bind(const std::string& address, std::uint16_t port,
                                                    const HttpLimits& limits);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    ~HttpServer();

    /// Adds a route before start(). Other methods on its path are answered 405, other paths 404.
    void route(std::string_view method, std::string_view path, Route route);

    /// Begins to answer, on a thread of its own.
    void start();
    /// Takes no new connection, lets requests in flight finish, and returns when all have.
    void stop();

    /// The port bound, also when 0 was asked for.
    std::uint16_t port() const;
    HttpCounters counters() const;

private:
    struct Impl;
    explicit HttpServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace losos
