#include "io/http_server.h"

#include "base/unique_fd.h"
#include "io/clock.h"
#include "io/http_admission.h"
#include "io/http_answer_counts.h"
#include "io/http_connection.h"
#include "io/http_routes.h"
#include "io/listen_socket.h"
#include "io/worker_threads.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <list>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace losos {

namespace {

constexpr std::size_t k_stack_bytes = 256 * 1024;
constexpr std::string_view k_busy = "busy; retry later";
constexpr int k_out_of_descriptors_pause_ms = 50;
// A full house is often empty again in a moment: so long a newcomer waits before it is turned away.
constexpr Duration k_full_house_patience{250};
constexpr int k_full_house_pause_ms = 5;
constexpr std::size_t k_most_waiting = 512;

} // namespace

HttpReply json_reply(int status, std::string body) {
    return {status, std::move(body), "application/json"};
}

HttpReply text_reply(int status, std::string sentence) {
    sentence += '\n';
    return {status, std::move(sentence)};
}

namespace {

// Sockets that were told there is no room. Closing one while its request is still arriving would
// reset it and lose the answer, so each is drained for a moment, without a thread.
class ShedSockets {
public:
    void add(UniqueFd fd) {
        send_at_once(fd.get(), plain_response(503, k_busy));
        shutdown(fd.get(), SHUT_WR);
        if (m_sockets.size() >= k_most) {
            m_sockets.pop_front();
        }
        m_sockets.push_back({std::move(fd), monotonic_now() + k_patience});
    }

    void append_to(std::vector<pollfd>& polled) const {
        for (const Entry& entry : m_sockets) {
            polled.push_back({entry.fd.get(), POLLIN, 0});
        }
    }

    // How long poll may wait before the next one is to be closed.
    int wait_ms() const {
        if (m_sockets.empty()) {
            return -1;
        }
        const auto left = (m_sockets.front().until - monotonic_now()).count();
        return static_cast<int>(std::clamp<long long>(left, 0, k_patience.count()));
    }

    void tend() {
        const MonotonicTime now = monotonic_now();
        std::erase_if(m_sockets, [now](const Entry& entry) {
            return !drain_at_once(entry.fd.get()) || entry.until <= now;
        });
    }

private:
    struct Entry {
        UniqueFd fd;
        MonotonicTime until;
    };
    static constexpr std::size_t k_most = 128;
    static constexpr Duration k_patience{1000};

    std::deque<Entry> m_sockets;
};

// An accepted connection that has no place yet.
struct Newcomer {
    UniqueFd fd;
    Source source;
    MonotonicTime since;
};

// A place among a source's own, once taken and until the scope ends.
class Place {
public:
    explicit Place(SourcePlaces& places) : m_places(places) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { give_back(); }

    bool take(const Source& source) {
        if (m_places.enter(source)) {
            m_source = source;
        }
        return m_source.has_value();
    }

    void give_back() {
        if (const auto source = std::exchange(m_source, std::nullopt)) {
            m_places.leave(*source);
        }
    }

private:
    SourcePlaces& m_places;
    std::optional<Source> m_source;
};

// One entered request, until the scope ends.
struct InFlight {
    RequestsInFlight& all;

    ~InFlight() { all.leave(); }
};

} // namespace

struct HttpServer::Impl {
    explicit Impl(const HttpLimits& bounds)
        : limits(bounds), routes(bounds.body_bytes),
          connections(bounds.connections, bounds.per_source), places(bounds.per_source),
          in_flight(bounds.requests_in_flight) {}

    void accept_until_stopped();
    void accept_all(ShedSockets& shed_sockets);
    bool admit(Newcomer& newcomer);
    bool may_wait(const Source& source);
    void seat_waiting(ShedSockets& shed_sockets);
    void turn_away(Newcomer& newcomer, ShedSockets& shed_sockets);
    void serve(ConnectionTable::Handle handle);
    HttpRoutes::After serve_one(AdmittedConnection& admitted, HttpConnection& connection);
    bool let_in(const std::function<void()>& call_route);
    void count_shed();

    const HttpLimits limits;
    AnswerCounts answers;
    HttpRoutes routes;
    UniqueFd listening;
    std::uint16_t port = 0;
    UniqueFd stop_event;
    ConnectionTable connections;
    SourcePlaces places;
    RequestsInFlight in_flight;
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> shed{0};
    std::atomic<long long> last_shed_ms{-1};
    std::thread acceptor;
    /// The acceptor's own: who waits for a place.
    std::list<Newcomer> waiting;
    WorkerThreads workers{k_stack_bytes};
};

void HttpServer::Impl::count_shed() {
    ++shed;
    last_shed_ms = monotonic_now().count();
}

void HttpServer::Impl::accept_until_stopped() {
    ShedSockets shed_sockets;
    std::vector<pollfd> polled;
    while (true) {
        const bool accepts = waiting.size() < k_most_waiting;
        polled.assign({{stop_event.get(), POLLIN, 0}, {accepts ? listening.get() : -1, POLLIN, 0}});
        shed_sockets.append_to(polled);
        const int wait_ms = waiting.empty() ? shed_sockets.wait_ms() : k_full_house_pause_ms;
        if (poll(polled.data(), polled.size(), wait_ms) < 0) {
            continue;
        }
        if (polled[0].revents != 0) {
            waiting.clear();
            return;
        }
        shed_sockets.tend();
        seat_waiting(shed_sockets);
        if (polled[1].revents != 0) {
            accept_all(shed_sockets);
        }
    }
}

void HttpServer::Impl::accept_all(ShedSockets& shed_sockets) {
    // Bounded, so that a flood of connections cannot keep the shed ones or stop() waiting.
    for (int round = 0; round < 64 && waiting.size() < k_most_waiting; ++round) {
        sockaddr_storage peer{};
        socklen_t size = sizeof peer;
        UniqueFd fd(
            accept4(listening.get(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC));
        if (fd) {
            Newcomer newcomer{std::move(fd), Source::of_peer(peer), monotonic_now()};
            if (admit(newcomer)) {
                continue;
            }
            if (may_wait(newcomer.source)) {
                waiting.push_back(std::move(newcomer));
            } else {
                turn_away(newcomer, shed_sockets);
            }
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // The waiting connection keeps poll() from waiting, so wait here.
            count_shed();
            pollfd stop{stop_event.get(), POLLIN, 0};
            poll(&stop, 1, k_out_of_descriptors_pause_ms);
        }
        if (errno != ECONNABORTED && errno != EINTR) {
            return;
        }
    }
}

// Whether there was a place for the newcomer.
bool HttpServer::Impl::admit(Newcomer& newcomer) {
    ConnectionTable::Handle handle;
    const auto now_ms = monotonic_now().count();
    if (!connections.admit(newcomer.fd, newcomer.source, handle, now_ms)) {
        return false;
    }
    const bool runs = workers.run([this, handle] {
        serve(handle);
        connections.release(handle);
    });
    if (!runs) {
        count_shed();
        send_at_once(handle->fd(), plain_response(503, k_busy));
        connections.release(handle);
    }
    return true;
}

// Those who wait count too, so that one source cannot take all the places to wait in.
bool HttpServer::Impl::may_wait(const Source& source) {
    const auto from_there =
        std::count_if(waiting.begin(), waiting.end(),
                      [&](const Newcomer& newcomer) { return newcomer.source == source; });
    return connections.is_full_for(source, static_cast<int>(from_there));
}

void HttpServer::Impl::seat_waiting(ShedSockets& shed_sockets) {
    // Each try in vain looks at every connection.
    constexpr int k_most_in_vain = 16;
    const MonotonicTime now = monotonic_now();
    int in_vain = 0;
    for (auto newcomer = waiting.begin(); newcomer != waiting.end();) {
        const bool seated = in_vain < k_most_in_vain && admit(*newcomer);
        in_vain += seated ? 0 : 1;
        const bool gives_up = !seated && now - newcomer->since >= k_full_house_patience;
        if (gives_up) {
            turn_away(*newcomer, shed_sockets);
        }
        newcomer = seated || gives_up ? waiting.erase(newcomer) : std::next(newcomer);
    }
}

void HttpServer::Impl::turn_away(Newcomer& newcomer, ShedSockets& shed_sockets) {
    count_shed();
    shed_sockets.add(std::move(newcomer.fd));
}

void HttpServer::Impl::serve(ConnectionTable::Handle handle) {
    try {
        HttpConnection connection(*handle, limits.per_request);
        while (connection.await_request()) {
            const auto after = serve_one(*handle, connection);
            if (after == HttpRoutes::After::linger && connections.begin_lingering(handle)) {
                connection.linger();
            }
            if (after != HttpRoutes::After::next) {
                return;
            }
            handle->answered();
        }
    } catch (const std::exception&) {
        // Out of memory: this connection ends, the others go on.
        count_shed();
    }
}

HttpRoutes::After HttpServer::Impl::serve_one(AdmittedConnection& admitted,
                                              HttpConnection& connection) {
    Place place(places);
    HttpRoutes::Gate gate;
    gate.take_place = [&](const std::string& forwarded_for) {
        ++requests;
        // A proxy's callers share its address: they are told apart by what it says of them. The
        // connections of every other peer are counted already.
        if (!admitted.source().is_loopback() || forwarded_for.empty() ||
            place.take(Source::of_text(forwarded_for))) {
            return true;
        }
        count_shed();
        return false;
    };
    gate.let_in = [&](const std::function<void()>& call_route) {
        admitted.received();
        const bool was_let_in = let_in(call_route);
        place.give_back();
        return was_let_in;
    };
    const auto after = routes.serve_one(connection, gate, admitted.is_hung_up());
    if (after == HttpRoutes::After::close && admitted.is_hung_up()) {
        count_shed();
    }
    return after;
}

bool HttpServer::Impl::let_in(const std::function<void()>& call_route) {
    if (!in_flight.enter()) {
        count_shed();
        return false;
    }
    const InFlight entered{in_flight};
    call_route();
    return true;
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

HttpServer::~HttpServer() {
    stop();
}

Result<std::unique_ptr<HttpServer>> HttpServer::bind(const std::string& address, std::uint16_t port,
                                                     const HttpLimits& limits) {
    auto impl = std::make_unique<Impl>(limits);
    TRY_ASSIGN(impl->listening, listen_on(address, port));
    impl->port = bound_port(impl->listening);
    impl->stop_event = UniqueFd(eventfd(0, EFD_CLOEXEC));
    if (!impl->stop_event) {
        return Error{Errc::failed, "no descriptor is left for the HTTP server"};
    }
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

void HttpServer::route(std::string_view method, std::string_view path, Route route) {
    m_impl->routes.add(method, path, m_impl->answers.counted(path, std::move(route)));
}

void HttpServer::start() {
    m_impl->acceptor = std::thread([impl = m_impl.get()] { impl->accept_until_stopped(); });
}

void HttpServer::stop() {
    if (!m_impl->acceptor.joinable()) {
        return;
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(m_impl->stop_event.get(), &one, sizeof one);
    m_impl->acceptor.join();
    m_impl->listening.reset();
    m_impl->connections.hang_up_all();
    m_impl->workers.join();
}

std::uint16_t HttpServer::port() const {
    return m_impl->port;
}

HttpCounters HttpServer::counters() const {
    HttpCounters counters;
    counters.requests = m_impl->requests;
    counters.shed = m_impl->shed;
    counters.in_flight = m_impl->in_flight.count();
    counters.connections = m_impl->connections.count();
    counters.threads = m_impl->workers.count();
    const long long last_shed_ms = m_impl->last_shed_ms;
    if (last_shed_ms >= 0) {
        counters.last_shed = MonotonicTime(last_shed_ms);
    }
    counters.answered = m_impl->answers.copy();
    return counters;
}

} // namespace losos
