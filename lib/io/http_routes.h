// The routes, and the one adapter of cpp-httplib's server: the library parses a request from a
// bounded connection, a route answers, the library writes the response. What the library would let
// pass although two servers could read it in two ways is refused before a route sees it.
#pragma once

#include "io/http_admission.h"
#include "io/http_connection.h"
#include "io/http_server.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// Filled before the first request, then used by any number of threads.
class HttpRoutes {
public:
    explicit HttpRoutes(std::size_t body_bytes);
    HttpRoutes(const HttpRoutes&) = delete;
    HttpRoutes& operator=(const HttpRoutes&) = delete;
    ~HttpRoutes();

    void add(std::string_view method, std::string_view path, HttpServer::Route route);

    /// Who lets a request in.
    struct Gate {
        /// Asked once the head is there, given what a proxy says of the caller (empty: nothing).
        std::function<bool(const std::string& forwarded_for)> take_place;
        /// Asked once the request is wholly received; calls the route unless it returns false.
        std::function<bool(const std::function<void()>& call_route)> let_in;
    };

    /// What is to become of a connection after a request.
    enum class After {
        /// It may carry another.
        next,
        /// It is to be closed, once its peer could read the answer.
        linger,
        close,
    };

    /// Reads one request and answers it.
    After serve_one(HttpConnection& connection, const Gate& gate, bool close) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A response of one sentence, written without the library: for what it never came to parse. It
/// tells the peer that the connection ends.
std::string plain_response(int status, std::string_view sentence);

} // namespace losos
