#include "io/exchange_watchdog.h"

#include "io/clock.h"

#include <fcntl.h>
// The kernel's own header, for the C library's tcp_info ends before the byte counters.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

namespace losos {

namespace {

/// The first looks are close together; each costs a wake-up, and most exchanges are over by then.
constexpr MonotonicTime k_first_look{20};
constexpr MonotonicTime k_looks_apart_max{160};

std::uint64_t bytes_received(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_received
                                                                        : 0;
}

} // namespace

ExchangeWatchdog::ExchangeWatchdog(MonotonicTime deadline, std::uint64_t received_bytes,
                                   const std::atomic<bool>* abandoned)
    : m_deadline(deadline), m_received_bytes(received_bytes), m_abandoned(abandoned),
      m_thread([this] { run(); }) {}

ExchangeWatchdog::~ExchangeWatchdog() {
    {
        const std::lock_guard lock(m_mutex);
        m_is_over = true;
    }
    m_over.notify_all();
    m_thread.join();
}

void ExchangeWatchdog::watch(int socket) {
    // A descriptor of its own: the library may close its one at any moment, and the number could
    // be another file's by the time this one hangs up.
    UniqueFd own(fcntl(socket, F_DUPFD_CLOEXEC, 0));
    const std::lock_guard lock(m_mutex);
    m_socket = std::move(own);
}

ExchangeWatchdog::Verdict ExchangeWatchdog::verdict() {
    const std::lock_guard lock(m_mutex);
    return m_verdict;
}

ExchangeWatchdog::Verdict ExchangeWatchdog::judge() const {
    if (monotonic_now() >= m_deadline) {
        return Verdict::too_late;
    }
    if (m_abandoned != nullptr && *m_abandoned) {
        return Verdict::abandoned;
    }
    return m_socket && bytes_received(m_socket.get()) > m_received_bytes ? Verdict::too_large
                                                                         : Verdict::within_bounds;
}

void ExchangeWatchdog::run() {
    std::unique_lock lock(m_mutex);
    MonotonicTime pause = k_first_look;
    while (!m_is_over) {
        if (m_verdict == Verdict::within_bounds) {
            m_verdict = judge();
        }
        // Again at every look, for a further attempt may have brought a new socket.
        if (m_verdict != Verdict::within_bounds && m_socket) {
            shutdown(m_socket.get(), SHUT_RDWR);
        }
        const auto left = std::clamp(m_deadline - monotonic_now(), MonotonicTime(1), pause);
        m_over.wait_for(lock, m_verdict == Verdict::within_bounds ? left : k_first_look);
        pause = std::min(2 * pause, k_looks_apart_max);
    }
}

} // namespace losos
