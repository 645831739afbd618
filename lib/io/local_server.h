// A request to a server on this machine under a host name of one's choosing. Over TLS no
// certificate is looked at: who listens on loopback is no stranger, and on a LAN edge it is
// self-signed.
#pragma once

#include "base/duration.h"

#include <cstdint>
#include <string>

namespace losos {

enum class LocalTransport { plain, tls };

struct LocalReply {
    enum class Kind {
        answered,
        refused,
        /// The connection ended without an HTTP answer, or the TLS handshake failed.
        hung_up,
        silent,
    };
    Kind kind = Kind::refused;
    int status = 0;
    /// Its first bytes.
    std::string body;
};

/// GET of / on a port of 127.0.0.1 with this Host, within `patience`. Redirects are not followed.
LocalReply ask_local_server(std::uint16_t port, const std::string& host, LocalTransport transport,
                            Duration patience);

} // namespace losos
