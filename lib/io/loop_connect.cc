#include "io/loop_connect.h"

#include "io/clock.h"
#include "io/tcp_connect.h"

#include <utility>

namespace losos {

Result<std::unique_ptr<LoopConnect>> LoopConnect::start(EventLoop& loop, const std::string& address,
                                                        std::uint16_t port, MonotonicTime deadline,
                                                        Done done) {
    auto look = std::unique_ptr<LoopConnect>(new LoopConnect(std::move(done)));
    auto* const it = look.get();
    TRY_ASSIGN(look->m_deadline, loop.make_alarm([it] { it->finish(false); }));
    look->m_socket = begin_connecting(address, port);
    if (!look->m_socket) {
        look->m_deadline->set(monotonic_now());
        return look;
    }
    look->m_deadline->set(deadline);
    TRY_ASSIGN(look->m_watch,
               loop.watch_descriptor(look->m_socket.get(), EventLoop::Readiness::to_write,
                                     [it] { it->finish(has_connected(it->m_socket)); }));
    return look;
}

void LoopConnect::finish(bool taken) {
    m_watch.reset();
    m_deadline->cancel();
    m_socket.reset();
    // A copy: the callee may destroy this.
    const auto done = m_done;
    done(taken);
}

} // namespace losos
