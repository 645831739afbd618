// The bytes of one accepted connection, each request of it under one deadline. It reads nothing
// into them but what two servers could read in two ways in a request's head, which it refuses.
#pragma once

#include "base/duration.h"
#include "io/http_admission.h"

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace losos {

/// Used by one thread. The descriptor stays the connection table's.
class HttpConnection {
public:
    /// Why reading a request ended before its end.
    enum class Fault {
        none,
        /// The caller did not send it in time.
        late,
        /// The peer left.
        gone,
        /// A bare line feed, a folded line, one without a colon, a control character, a Range or an
        /// empty length in the head.
        odd_head,
        /// More head than the limits allow.
        large_head,
        /// More body, its framing included, than any sound one takes.
        large_body,
    };

    HttpConnection(AdmittedConnection& connection, Duration per_request);
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;
    /// Wipes what it read: bodies hold tokens.
    ~HttpConnection();

    /// Waits for the first byte of a request, from which its deadline runs; false when the peer
    /// left, stayed silent for as long as a request may take, or was hung up.
    bool await_request();
    /// When the request must be answered.
    MonotonicTime deadline() const { return m_deadline; }

    /// Reads up to `size` bytes before the deadline; 0 or less after a fault.
    ssize_t read(char* target, std::size_t size);
    /// From here on bytes belong to the request's body.
    void end_head() { m_in_head = false; }
    Fault fault() const { return m_fault; }

    /// Keeps bytes of the response until flush().
    void write(std::string_view bytes) { m_output += bytes; }
    bool has_output() const { return !m_output.empty(); }
    /// Forgets what was not flushed.
    void discard_output() { m_output.clear(); }
    /// Sends everything before the deadline, or what fits at once after it; false when cut short.
    bool flush();

    /// Lets the peer read what was sent before the descriptor is closed on bytes never read.
    void linger() const;

private:
    bool fill();
    bool accept_head(std::string_view bytes);
    bool is_refused_after(char next);
    bool wait_for(short event) const;

    AdmittedConnection& m_connection;
    const Duration m_per_request;
    MonotonicTime m_deadline{0};
    std::string m_input;
    std::size_t m_consumed = 0;
    std::string m_output;
    Fault m_fault = Fault::none;
    bool m_in_head = true;
    char m_last = '\n';
    /// The name of the header that is being read, as far as it is looked at.
    std::string m_name;
    bool m_in_name = true;
    bool m_value_is_empty = true;
    bool m_in_length = false;
    std::size_t m_head_bytes = 0;
    std::size_t m_body_bytes = 0;
    int m_head_lines = 0;
};

/// Sends what fits into the socket's buffer without waiting; the number of bytes, 0 on failure.
std::size_t send_at_once(int fd, std::string_view bytes);
/// Reads and drops what has arrived; false once the peer has nothing more to say.
bool drain_at_once(int fd);

} // namespace losos
