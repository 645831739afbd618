#include "io/http_admission.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace losos {

namespace {

constexpr std::array<unsigned char, 12> k_mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

std::array<unsigned char, 16> mapped(const in_addr& address) {
    std::array<unsigned char, 16> bytes{};
    std::copy(k_mapped_prefix.begin(), k_mapped_prefix.end(), bytes.begin());
    std::memcpy(bytes.data() + k_mapped_prefix.size(), &address, sizeof address);
    return bytes;
}

std::array<unsigned char, 16> bytes_of(const in6_addr& address) {
    std::array<unsigned char, 16> bytes{};
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
}

} // namespace

Source Source::of_bytes(const std::array<unsigned char, 16>& bytes) {
    Source source;
    source.m_bytes = bytes;
    if (std::equal(k_mapped_prefix.begin(), k_mapped_prefix.end(), bytes.begin())) {
        source.m_loopback = bytes[12] == 127;
        return source;
    }
    source.m_loopback = bytes == bytes_of(in6addr_loopback);
    std::fill(source.m_bytes.begin() + 8, source.m_bytes.end(), static_cast<unsigned char>(0));
    return source;
}

Source Source::of_peer(const sockaddr_storage& peer) {
    if (peer.ss_family == AF_INET) {
        sockaddr_in address{};
        std::memcpy(&address, &peer, sizeof address);
        return of_bytes(mapped(address.sin_addr));
    }
    sockaddr_in6 address{};
    std::memcpy(&address, &peer, sizeof address);
    return of_bytes(bytes_of(address.sin6_addr));
}

Source Source::of_text(const std::string& text) {
    in_addr v4{};
    if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
        return of_bytes(mapped(v4));
    }
    in6_addr v6{};
    if (inet_pton(AF_INET6, text.c_str(), &v6) == 1) {
        return of_bytes(bytes_of(v6));
    }
    return {};
}

bool AdmittedConnection::begin_waiting(long long now_ms) {
    // In this order: whoever hangs up sets the flag first and looks for waiters second, so that
    // one of the two sides always sees the other.
    m_waiting_since = now_ms;
    return !m_hung_up;
}

bool ConnectionTable::admit(UniqueFd& fd, const Source& source, Handle& handle, long long now_ms) {
    const std::lock_guard lock(m_mutex);
    if (!has_room(source) && !make_room(source, now_ms)) {
        return false;
    }
    handle = m_all.emplace(m_all.end(), std::move(fd), source);
    ++m_by_source[source];
    ++m_count;
    return true;
}

bool ConnectionTable::begin_lingering(Handle handle) {
    constexpr int k_most = 128;
    const std::lock_guard lock(m_mutex);
    uncount(*handle);
    handle->m_lingers = m_lingering < k_most;
    m_lingering += handle->m_lingers ? 1 : 0;
    return handle->m_lingers;
}

void ConnectionTable::release(Handle handle) {
    const std::lock_guard lock(m_mutex);
    uncount(*handle);
    m_lingering -= handle->m_lingers ? 1 : 0;
    m_all.erase(handle);
}

void ConnectionTable::hang_up_all() {
    const std::lock_guard lock(m_mutex);
    std::for_each(m_all.begin(), m_all.end(), hang_up);
}

bool ConnectionTable::is_full_for(const Source& source, int waiting) {
    const std::lock_guard lock(m_mutex);
    return is_full() && has_share_left(source, waiting);
}

int ConnectionTable::count_of(const Source& source) const {
    const auto found = m_by_source.find(source);
    return found == m_by_source.end() ? 0 : found->second;
}

bool ConnectionTable::has_share_left(const Source& source, int waiting) const {
    return source.is_loopback() || count_of(source) + waiting < m_per_source;
}

bool ConnectionTable::has_room(const Source& source) const {
    return !is_full() && has_share_left(source);
}

bool ConnectionTable::make_room(const Source& source, long long now_ms) {
    if (AdmittedConnection* const idle = longest_idle(source)) {
        hang_up(*idle);
        uncount(*idle);
    } else if (AdmittedConnection* const slow = slowest_sender(source, now_ms)) {
        hang_up(*slow);
        shutdown(slow->fd(), SHUT_RD);
        uncount(*slow);
    }
    return has_room(source);
}

AdmittedConnection* ConnectionTable::longest_idle(const Source& source) {
    AdmittedConnection* longest = nullptr;
    long long since = 0;
    for (AdmittedConnection& connection : m_all) {
        const long long waiting = connection.m_waiting_since;
        const bool idle = waiting != 0 && connection.m_has_spoken && connection.m_counted;
        const bool eligible = is_full() || connection.source() == source;
        if (idle && eligible && (longest == nullptr || waiting < since)) {
            longest = &connection;
            since = waiting;
        }
    }
    return longest;
}

// Many sources with all their connections silent must not fill the house against those with few.
AdmittedConnection* ConnectionTable::slowest_sender(const Source& source, long long now_ms) {
    constexpr long long k_slow_ms = 250;
    if (!is_full() || !has_share_left(source)) {
        return nullptr;
    }
    const int fewest = count_of(source) + 2;
    AdmittedConnection* slowest = nullptr;
    long long since = now_ms - k_slow_ms;
    for (AdmittedConnection& connection : m_all) {
        const long long receiving = connection.m_receiving_since;
        if (receiving != 0 && receiving <= since && connection.m_counted &&
            !connection.source().is_loopback() && count_of(connection.source()) >= fewest) {
            slowest = &connection;
            since = receiving - 1;
        }
    }
    return slowest;
}

void ConnectionTable::uncount(AdmittedConnection& connection) {
    if (!std::exchange(connection.m_counted, false)) {
        return;
    }
    --m_count;
    const auto found = m_by_source.find(connection.source());
    if (--found->second == 0) {
        m_by_source.erase(found);
    }
}

void ConnectionTable::hang_up(AdmittedConnection& connection) {
    connection.m_hung_up = true;
    if (connection.m_waiting_since != 0) {
        shutdown(connection.fd(), SHUT_RD);
    }
}

bool SourcePlaces::enter(const Source& source) {
    const std::lock_guard lock(m_mutex);
    int& count = m_by_source.try_emplace(source, 0).first->second;
    if (count >= m_per_source) {
        return false;
    }
    ++count;
    return true;
}

void SourcePlaces::leave(const Source& source) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_by_source.find(source);
    if (--found->second == 0) {
        m_by_source.erase(found);
    }
}

bool RequestsInFlight::enter() {
    if (m_count.fetch_add(1) >= m_limit) {
        --m_count;
        return false;
    }
    return true;
}

} // namespace losos
