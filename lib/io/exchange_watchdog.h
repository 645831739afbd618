// Hangs up a client's connection when its exchange takes too long, receives too much or is not
// waited for any more, from a thread of its own: the HTTP library bounds single reads, but neither
// the whole nor the headers.
#pragma once

#include "base/duration.h"
#include "base/unique_fd.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace losos {

/// Watches one exchange from its construction to its end.
class ExchangeWatchdog {
public:
    /// `abandoned`, if given, outlives this and turns true when nobody waits any more.
    ExchangeWatchdog(MonotonicTime deadline, std::uint64_t received_bytes,
                     const std::atomic<bool>* abandoned);
    ExchangeWatchdog(const ExchangeWatchdog&) = delete;
    ExchangeWatchdog& operator=(const ExchangeWatchdog&) = delete;
    ~ExchangeWatchdog();

    /// The socket to hang up from now on, in place of an earlier one.
    void watch(int socket);

    enum class Verdict { within_bounds, too_late, too_large, abandoned };
    Verdict verdict();

private:
    void run();
    Verdict judge() const;

    const MonotonicTime m_deadline;
    const std::uint64_t m_received_bytes;
    const std::atomic<bool>* const m_abandoned;
    std::mutex m_mutex;
    std::condition_variable m_over;
    UniqueFd m_socket;
    Verdict m_verdict = Verdict::within_bounds;
    bool m_is_over = false;
    std::thread m_thread;
};

} // namespace losos
