// One HTTP exchange at a time, bounded in time and size, over cpp-httplib. The only user of
// httplib's client. Redirects are never followed; certificates are always verified.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace losos {

/// Where a server is.
struct HttpTarget {
    bool https = false;
    /// A name or a numeric address without brackets.
    std::string host;
    std::uint16_t port = 0;
};

/// The bounds of one exchange.
struct HttpBounds {
    /// From resolving the name to the last byte.
    Duration total{10000};
    /// Of the answer's body.
    std::size_t body_bytes = 256 * 1024;
};

/// What a server answered.
struct HttpAnswer {
    int status = 0;
    std::string body;
    /// The Date header as it stands; empty when there is none.
    std::string date = {};
};

/// GET. Fails with Errc::no_answer and a sentence naming host and cause.
Result<HttpAnswer> http_get(const HttpTarget& target, const std::string& path,
                            const HttpBounds& bounds);

/// POST of a JSON body. Fails like http_get.
Result<HttpAnswer> http_post_json(const HttpTarget& target, const std::string& path,
                                  const std::string& body, const HttpBounds& bounds);

} // namespace losos
