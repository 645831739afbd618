#include "io/loop_http_get.h"

#include "io/clock.h"

#include <array>
#include <utility>

namespace losos {

Result<std::unique_ptr<LoopHttpGet>> LoopHttpGet::start(EventLoop& loop, Order order,
                                                        LoopConnection kept, Done done) {
    auto get = std::unique_ptr<LoopHttpGet>(
        new LoopHttpGet(loop, std::move(order), std::move(kept), std::move(done)));
    auto* const it = get.get();
    TRY_ASSIGN(get->m_deadline, loop.make_alarm([it] { it->finish(LoopAnswer::Kind::silent); }));
    get->m_deadline->set(get->m_order.deadline);
    get->begin();
    return get;
}

LoopHttpGet::LoopHttpGet(EventLoop& loop, Order order, LoopConnection kept, Done done)
    : m_loop(loop), m_order(std::move(order)), m_done(std::move(done)),
      m_connection(std::move(kept)), m_is_kept(m_connection.is_quiet()),
      m_reader(m_order.body_bytes) {}

void LoopHttpGet::begin() {
    if (m_is_kept) {
        send_request();
    } else {
        connect();
    }
}

void LoopHttpGet::connect() {
    m_is_kept = false;
    m_stage = Stage::connecting;
    m_watch.reset();
    m_connection = LoopConnection(m_order.address, m_order.port, m_order.tls, m_order.host);
    watch(EventLoop::Readiness::to_write);
}

void LoopHttpGet::watch(EventLoop::Readiness readiness) {
    m_watch.reset();
    if (m_connection) {
        auto watched = m_loop.watch_descriptor(m_connection.fd(), readiness, [this] { go_on(); });
        if (watched) {
            m_watch = *std::move(watched);
            return;
        }
    }
    // From the loop, as the caller was promised.
    m_deadline->set(monotonic_now());
}

void LoopHttpGet::go_on() {
    switch (m_stage) {
    case Stage::connecting:
        go_on_connecting();
        return;
    case Stage::asked:
        receive();
        return;
    }
}

void LoopHttpGet::go_on_connecting() {
    switch (m_connection.go_on()) {
    case LoopConnection::Step::done:
        send_request();
        return;
    case LoopConnection::Step::wants_to_read:
        watch(EventLoop::Readiness::to_read);
        return;
    case LoopConnection::Step::wants_to_write:
        watch(EventLoop::Readiness::to_write);
        return;
    case LoopConnection::Step::ended:
    case LoopConnection::Step::failed:
        break;
    }
    finish(LoopAnswer::Kind::silent);
}

void LoopHttpGet::send_request() {
    m_stage = Stage::asked;
    if (m_connection.write(render_http_get(m_order.authority, m_order.path)) ==
        LoopConnection::Step::done) {
        watch(EventLoop::Readiness::to_read);
    } else if (m_is_kept) {
        connect();
    } else {
        m_deadline->set(monotonic_now());
    }
}

void LoopHttpGet::receive() {
    // What TLS has decrypted already makes no descriptor readable.
    while (read_on()) {
    }
}

/// Whether there may be more to read at once; after the end this may be gone.
bool LoopHttpGet::read_on() {
    std::array<char, 4096> buffer;
    std::size_t count = 0;
    auto state = HttpAnswerReader::State::open;
    switch (m_connection.read(buffer.data(), buffer.size(), count)) {
    case LoopConnection::Step::done:
        state = m_reader.take({buffer.data(), count});
        break;
    case LoopConnection::Step::wants_to_read:
        watch(EventLoop::Readiness::to_read);
        return false;
    case LoopConnection::Step::wants_to_write:
        watch(EventLoop::Readiness::to_write);
        return false;
    case LoopConnection::Step::ended:
        if (m_reader.has_begun()) {
            state = m_reader.end();
            break;
        }
        [[fallthrough]];
    case LoopConnection::Step::failed:
        if (m_is_kept && !m_reader.has_begun()) {
            // Its server had closed it before it was asked.
            connect();
        } else {
            finish(LoopAnswer::Kind::silent);
        }
        return false;
    }
    switch (state) {
    case HttpAnswerReader::State::open:
        return true;
    case HttpAnswerReader::State::whole:
        finish(LoopAnswer::Kind::answered);
        break;
    case HttpAnswerReader::State::odd:
        finish(LoopAnswer::Kind::odd);
        break;
    }
    return false;
}

void LoopHttpGet::finish(LoopAnswer::Kind kind) {
    m_watch.reset();
    m_deadline->cancel();
    LoopAnswer result;
    result.kind = kind;
    if (kind == LoopAnswer::Kind::answered) {
        result.answer.status = m_reader.status();
        result.answer.body = m_reader.body();
        if (m_reader.may_go_on()) {
            result.connection = std::move(m_connection);
        }
    }
    m_connection = LoopConnection();
    // A copy: the callee may destroy this.
    const auto done = m_done;
    done(std::move(result));
}

} // namespace losos
