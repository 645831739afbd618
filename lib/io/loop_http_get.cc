#include "io/loop_http_get.h"

#include "io/clock.h"
#include "io/tcp_connect.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace losos {

Result<std::unique_ptr<LoopHttpGet>> LoopHttpGet::start(EventLoop& loop, Order order, UniqueFd kept,
                                                        Done done) {
    auto get = std::unique_ptr<LoopHttpGet>(
        new LoopHttpGet(loop, std::move(order), std::move(kept), std::move(done)));
    auto* const it = get.get();
    TRY_ASSIGN(get->m_deadline, loop.make_alarm([it] { it->finish(LoopAnswer::Kind::silent); }));
    get->m_deadline->set(get->m_order.deadline);
    get->begin();
    return get;
}

LoopHttpGet::LoopHttpGet(EventLoop& loop, Order order, UniqueFd kept, Done done)
    : m_loop(loop), m_order(std::move(order)), m_done(std::move(done)), m_socket(std::move(kept)),
      m_is_kept(static_cast<bool>(m_socket)), m_reader(m_order.body_bytes) {}

void LoopHttpGet::begin() {
    if (m_is_kept) {
        send_request();
    } else {
        connect();
    }
}

void LoopHttpGet::connect() {
    m_is_kept = false;
    m_watch.reset();
    m_socket = begin_connecting(m_order.address, m_order.port);
    watch(EventLoop::Readiness::to_write);
}

void LoopHttpGet::watch(EventLoop::Readiness readiness) {
    if (m_socket) {
        auto watched = m_loop.watch_descriptor(m_socket.get(), readiness, [this] { go_on(); });
        if (watched) {
            m_watch = *std::move(watched);
            return;
        }
    }
    // From the loop, as the caller was promised.
    m_deadline->set(monotonic_now());
}

void LoopHttpGet::go_on() {
    if (m_is_asked) {
        receive();
    } else if (has_connected(m_socket)) {
        send_request();
    } else {
        finish(LoopAnswer::Kind::silent);
    }
}

void LoopHttpGet::send_request() {
    const auto request = render_http_get(m_order.host, m_order.path);
    m_is_asked = true;
    m_watch.reset();
    // A socket that carries nothing else has room for a request.
    const auto sent = send(m_socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request.size())) {
        if (std::exchange(m_is_kept, false)) {
            m_is_asked = false;
            connect();
        } else {
            m_deadline->set(monotonic_now());
        }
        return;
    }
    watch(EventLoop::Readiness::to_read);
}

void LoopHttpGet::receive() {
    std::array<char, 4096> buffer;
    const auto count = recv(m_socket.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (count <= 0 && m_is_kept && !m_reader.has_begun()) {
        // Its server had closed it before it was asked.
        m_is_asked = false;
        connect();
        return;
    }
    if (count < 0 || (count == 0 && !m_reader.has_begun())) {
        finish(LoopAnswer::Kind::silent);
        return;
    }
    const auto state = count == 0 ? m_reader.end()
                                  : m_reader.take({buffer.data(), static_cast<std::size_t>(count)});
    switch (state) {
    case HttpAnswerReader::State::open:
        return;
    case HttpAnswerReader::State::whole:
        finish(LoopAnswer::Kind::answered);
        return;
    case HttpAnswerReader::State::odd:
        finish(LoopAnswer::Kind::odd);
        return;
    }
}

void LoopHttpGet::finish(LoopAnswer::Kind kind) {
    m_watch.reset();
    m_deadline->cancel();
    LoopAnswer result{kind, {}, {}};
    if (kind == LoopAnswer::Kind::answered) {
        result.answer = {m_reader.status(), m_reader.body()};
        if (m_reader.may_go_on()) {
            result.connection = std::move(m_socket);
        }
    }
    m_socket.reset();
    // A copy: the callee may destroy this.
    const auto done = m_done;
    done(std::move(result));
}

} // namespace losos
