// One HTTP exchange at a time, bounded in time and size, over cpp-httplib. The only user of
// httplib's client. Redirects are never followed; certificates are verified unless the caller says
// otherwise.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace losos {

/// Which certificates of a server are taken.
enum class Certificates {
    verified,
    /// For a server that is known by where it listens, not by what it shows.
    any,
};

/// Where a server is.
struct HttpTarget {
    bool https = false;
    /// A name or a numeric address without brackets.
    std::string host;
    std::uint16_t port = 0;
    /// Numeric; dialled in place of what `host` resolves to, if given.
    std::optional<std::string> address = std::nullopt;
    Certificates certificates = Certificates::verified;
    /// A file of certificates in PEM: of verified ones only those are taken that one of these
    /// signed, whatever this system trusts.
    std::optional<std::string> authority_file = std::nullopt;
};

/// What becomes of an answer whose body is larger than asked for.
enum class Surplus {
    fails,
    /// Its beginning is the answer.
    is_cut,
};

/// The bounds of one exchange.
struct HttpBounds {
    /// From resolving the name to the last byte.
    Duration total{10000};
    /// Of the answer's body.
    std::size_t body_bytes = 256 * 1024;
    Surplus surplus = Surplus::fails;
    /// Once this is true nobody waits for the answer any more, and the exchange ends soon.
    const std::atomic<bool>* abandoned = nullptr;
};

/// What a server answered.
struct HttpAnswer {
    int status = 0;
    std::string body;
    /// The Date header as it stands; empty when there is none.
    std::string date = {};
};

/// GET. Fails with Errc::no_answer and a sentence naming host and cause. `accept` is the type of
/// answer asked for; empty for any.
Result<HttpAnswer> http_get(const HttpTarget& target, const std::string& path,
                            const HttpBounds& bounds, const std::string& accept = {});

/// POST of a JSON body. Fails like http_get.
Result<HttpAnswer> http_post_json(const HttpTarget& target, const std::string& path,
                                  const std::string& body, const HttpBounds& bounds);

/// DELETE by somebody who proves himself with a bearer token. Fails like http_get; no sentence
/// holds the token.
Result<HttpAnswer> http_delete(const HttpTarget& target, const std::string& path,
                               const std::string& bearer, const HttpBounds& bounds);

} // namespace losos
