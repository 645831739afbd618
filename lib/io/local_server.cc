#include "io/local_server.h"

#include "io/clock.h"
#include "io/http_client.h"
#include "io/resolve.h"

#include <utility>

namespace losos {

namespace {

constexpr const char* k_loopback = "127.0.0.1";
// Enough for what tells one server from another.
constexpr std::size_t k_body_bytes = std::size_t{16} * 1024;

} // namespace

LocalReply ask_local_server(std::uint16_t port, const std::string& host, LocalTransport transport,
                            Duration patience) {
    const auto deadline = monotonic_now() + patience;
    if (!connection_fault(k_loopback, port, deadline).empty()) {
        return {LocalReply::Kind::refused, 0, {}};
    }
    const HttpTarget target{transport == LocalTransport::tls, host, port, k_loopback,
                            Certificates::any};
    auto answer = http_get(target, "/", {patience, k_body_bytes, Surplus::is_cut});
    if (answer) {
        return {LocalReply::Kind::answered, answer->status, std::move(answer->body)};
    }
    const bool is_late = monotonic_now() >= deadline;
    return {is_late ? LocalReply::Kind::silent : LocalReply::Kind::hung_up, 0, {}};
}

} // namespace losos
