// GET on an event loop: no thread waits for the answer, so that many are asked at once and a wait
// costs nothing. Plain HTTP to numeric addresses only; io/http_client.h does all the rest.
#pragma once

#include "base/duration.h"
#include "base/unique_fd.h"
#include "io/event_loop.h"
#include "io/http_answer_reader.h"
#include "io/http_client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace losos {

/// What becomes of a GET.
struct LoopAnswer {
    enum class Kind {
        answered,
        /// Nothing, or not a whole answer in time.
        silent,
        /// What came is no answer of HTTP, or is larger than was asked for.
        odd,
    };
    Kind kind = Kind::silent;
    HttpAnswer answer;
    /// The connection, where it may carry another request.
    UniqueFd connection;
};

/// One GET, until it is destroyed.
class LoopHttpGet {
public:
    struct Order {
        std::string address;
        std::uint16_t port = 0;
        /// For the Host header.
        std::string host;
        std::string path;
        MonotonicTime deadline{0};
        std::size_t body_bytes = 0;
    };
    using Done = std::function<void(LoopAnswer answer)>;

    /// `done` is called once from the loop, never from here, and may destroy the GET. `kept`: a
    /// connection that carried an answer before; where its server has closed it since, a new one is
    /// made.
    static Result<std::unique_ptr<LoopHttpGet>> start(EventLoop& loop, Order order, UniqueFd kept,
                                                      Done done);
    LoopHttpGet(const LoopHttpGet&) = delete;
    LoopHttpGet& operator=(const LoopHttpGet&) = delete;

private:
    LoopHttpGet(EventLoop& loop, Order order, UniqueFd kept, Done done);
    void begin();
    void connect();
    void go_on();
    void send_request();
    void receive();
    void finish(LoopAnswer::Kind kind);
    void watch(EventLoop::Readiness readiness);

    EventLoop& m_loop;
    const Order m_order;
    Done m_done;
    UniqueFd m_socket;
    bool m_is_kept = false;
    bool m_is_asked = false;
    HttpAnswerReader m_reader;
    /// In this order, so that the watch goes before its descriptor.
    std::unique_ptr<EventLoop::DescriptorWatch> m_watch;
    std::unique_ptr<EventLoop::Alarm> m_deadline;
};

} // namespace losos
