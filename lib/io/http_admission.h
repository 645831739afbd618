// Who may connect, and how many requests may be in flight: per source, and in all. It owns the
// connections' descriptors, so that one can be hung up from another thread.
#pragma once

#include "base/unique_fd.h"

#include <sys/socket.h>

#include <array>
#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <string>

namespace losos {

/// Whom a limit is counted against: an IPv4 address, or the /64 of an IPv6 one.
class Source {
public:
    /// The source of a peer; IPv4 in an IPv6 coat is IPv4.
    static Source of_peer(const sockaddr_storage& peer);
    /// The source a proxy names; all that is no address is one source.
    static Source of_text(const std::string& text);

    bool is_loopback() const { return m_loopback; }

    friend auto operator<=>(const Source& a, const Source& b) { return a.m_bytes <=> b.m_bytes; }
    friend bool operator==(const Source& a, const Source& b) { return a.m_bytes == b.m_bytes; }

private:
    static Source of_bytes(const std::array<unsigned char, 16>& bytes);

    std::array<unsigned char, 16> m_bytes{};
    bool m_loopback = false;
};

/// One accepted connection. Its thread says when it waits for a request and until when it receives
/// one, for only then may it be hung up.
class AdmittedConnection {
public:
    AdmittedConnection(UniqueFd fd, const Source& source) : m_fd(std::move(fd)), m_source(source) {}

    int fd() const { return m_fd.get(); }
    const Source& source() const { return m_source; }

    /// From here until received() the request is awaited or on its way.
    void begin_receiving(long long now_ms) { m_receiving_since = now_ms; }
    void received() { m_receiving_since = 0; }
    /// False when the connection was hung up: it is to be closed after the answer it owes.
    bool begin_waiting(long long now_ms);
    void end_waiting() { m_waiting_since = 0; }
    void answered() { m_has_spoken = true; }
    bool is_hung_up() const { return m_hung_up; }

private:
    friend class ConnectionTable;

    UniqueFd m_fd;
    Source m_source;
    std::atomic<long long> m_receiving_since{0};
    std::atomic<long long> m_waiting_since{0};
    std::atomic<bool> m_has_spoken{false};
    std::atomic<bool> m_hung_up{false};
    bool m_counted = true;
    bool m_lingers = false;
};

/// All connections. Thread-safe.
class ConnectionTable {
public:
    using Handle = std::list<AdmittedConnection>::iterator;

    ConnectionTable(int connections, int per_source)
        : m_connections(connections), m_per_source(per_source) {}

    /// Takes the descriptor over and sets `handle` when there is room; where there is none, the
    /// connection that has idled longest between two requests makes some, and in a full house then
    /// the slowest sender of a source that has several more than this one. Else leaves `fd` alone.
    bool admit(UniqueFd& fd, const Source& source, Handle& handle, long long now_ms);
    /// Counts the connection no more, for all that is left to do is to let its peer read; false
    /// when so many are at that already that it is to be closed at once.
    bool begin_lingering(Handle handle);
    /// Closes the connection.
    void release(Handle handle);
    /// Hangs up every connection that waits for a request, now or later.
    void hang_up_all();

    int count() const { return m_count; }
    /// Whether it is the others that leave no room for one more of this source, `waiting` of which
    /// are to come in before.
    bool is_full_for(const Source& source, int waiting);

private:
    bool is_full() const { return m_count >= m_connections; }
    int count_of(const Source& source) const;
    bool has_share_left(const Source& source, int waiting = 0) const;
    bool has_room(const Source& source) const;
    bool make_room(const Source& source, long long now_ms);
    AdmittedConnection* longest_idle(const Source& source);
    AdmittedConnection* slowest_sender(const Source& source, long long now_ms);
    void uncount(AdmittedConnection& connection);
    static void hang_up(AdmittedConnection& connection);

    const int m_connections;
    const int m_per_source;
    std::atomic<int> m_count{0};
    std::mutex m_mutex;
    int m_lingering = 0;
    std::list<AdmittedConnection> m_all;
    std::map<Source, int> m_by_source;
};

/// The requests a proxy brings, by the source it names: each holds a place from its head to its
/// answer, so that a slow body is counted too. Thread-safe.
class SourcePlaces {
public:
    explicit SourcePlaces(int per_source) : m_per_source(per_source) {}

    /// Takes a place; false when the source has all of its own.
    bool enter(const Source& source);
    /// Gives back what an enter() that returned true took.
    void leave(const Source& source);

private:
    const int m_per_source;
    std::mutex m_mutex;
    std::map<Source, int> m_by_source;
};

/// Wholly received requests that are being answered. Thread-safe.
class RequestsInFlight {
public:
    explicit RequestsInFlight(int limit) : m_limit(limit) {}

    /// Counts one more; false when there is no room.
    bool enter();
    /// Ends what an enter() that returned true began.
    void leave() { --m_count; }

    int count() const { return m_count; }

private:
    const int m_limit;
    std::atomic<int> m_count{0};
};

} // namespace losos
