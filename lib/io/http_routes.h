// The routes, and the one adapter of cpp-httplib's server: a framed request goes through the
// library's parser, a route and the library's writer, all in memory. The library never sees a
// socket, nor any header it could act upon.
#pragma once

#include "io/http_framing.h"
#include "io/http_server.h"

#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// Filled before the first answer, then read by any number of threads.
class HttpRoutes {
public:
    HttpRoutes();
    HttpRoutes(const HttpRoutes&) = delete;
    HttpRoutes& operator=(const HttpRoutes&) = delete;
    ~HttpRoutes();

    void add(std::string_view method, std::string_view path, HttpServer::Route route);

    /// The whole response. What a route throws becomes a 500 that tells nothing.
    std::string answer(FramedRequest& request, MonotonicTime deadline, bool close) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A response of one sentence, written without the library: for what never reaches a route.
/// `method` is the request's, as far as it is known: an answer to HEAD has no body.
std::string plain_response(int status, std::string_view sentence, bool close,
                           std::string_view method, std::string_view allow = {});

} // namespace losos
