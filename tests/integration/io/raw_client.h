// A TCP peer that does exactly what a test says, well-behaved or not.
#pragma once

#include "base/unique_fd.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace losos::test {

using Milliseconds = std::chrono::milliseconds;

/// How long a test waits for what should come at once.
constexpr Milliseconds k_soon{5000};

class RawClient {
public:
    /// Connects to the port at `to`, from the address `from` where one is given.
    explicit RawClient(std::uint16_t port, const std::string& to = "127.0.0.1",
                       const std::string& from = {});

    bool is_connected() const { return m_connected; }
    /// False once the peer takes no more.
    bool send(std::string_view bytes);
    /// One whole response, headers included; what came until then when the peer closes or time
    /// is over.
    std::string response(Milliseconds patience = k_soon);
    /// The head of a response only, for answers to HEAD and interim ones.
    std::string head(Milliseconds patience = k_soon);
    /// How long until the peer closed; nullopt when it did not.
    std::optional<Milliseconds> time_to_close(Milliseconds patience = k_soon);
    void close() { m_fd.reset(); }

private:
    bool read_more(std::chrono::steady_clock::time_point until);
    std::string take(std::size_t count);

    UniqueFd m_fd;
    bool m_connected = false;
    bool m_closed = false;
    std::string m_input;
};

/// A loopback port nobody listens on.
std::uint16_t unused_port();

/// A socket that listens on loopback and never answers unless told to.
class RawServer {
public:
    RawServer();
    std::uint16_t port() const { return m_port; }
    /// Accepts one peer and reads its request's head.
    UniqueFd accept_request() const;

private:
    UniqueFd m_fd;
    std::uint16_t m_port = 0;
};

bool send_all(const UniqueFd& fd, std::string_view bytes);

bool starts_with(std::string_view text, std::string_view start);
bool contains(std::string_view text, std::string_view part);

/// Waits for a condition; false when it does not come about.
template <class Condition>
bool comes_true(Condition condition, Milliseconds patience = k_soon) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= until) {
            return false;
        }
        std::this_thread::sleep_for(Milliseconds(2));
    }
    return true;
}

} // namespace losos::test
