// The bytes of one accepted connection, each request of it under one deadline.
#pragma once

#include "base/duration.h"
#include "io/http_admission.h"
#include "io/http_framing.h"

#include <string>
#include <string_view>

namespace losos {

/// Used by one thread. The descriptor stays the connection table's.
class HttpConnection {
public:
    /// What awaiting a request came to.
    enum class Received {
        request,
        refused,
        /// The caller began a request and did not finish it in time.
        late,
        /// Nothing is owed: the peer left, or stayed silent for as long as a request may take.
        ended,
    };

    HttpConnection(AdmittedConnection& connection, Duration per_request);

    /// Reads on until the framer has a request. The deadline runs from its first byte.
    Received receive(RequestFramer& framer);
    /// When the request last received must be answered.
    MonotonicTime deadline() const { return m_deadline; }
    /// Sends everything before the deadline, or what fits at once after it; false when cut short.
    bool send(std::string_view bytes) const;
    /// Lets the peer read what was sent before the descriptor is closed on bytes never read.
    void linger() const;
    /// Whether the peer sent more than was asked for so far.
    bool has_unread() const { return !m_input.empty(); }

private:
    bool read_first();
    Received read_rest(RequestFramer& framer);
    bool wait_for(short event) const;

    AdmittedConnection& m_connection;
    const Duration m_per_request;
    MonotonicTime m_deadline{0};
    std::string m_input;
};

/// Sends what fits into the socket's buffer without waiting; the number of bytes, 0 on failure.
std::size_t send_at_once(int fd, std::string_view bytes);
/// Reads and drops what has arrived; false once the peer has nothing more to say.
bool drain_at_once(int fd);

} // namespace losos
