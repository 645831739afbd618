// A client's connection that never blocks, in the clear or over TLS. Certificates are always
// verified.
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// What all of a program's connections over TLS share. It must outlive them.
class TlsSettings {
public:
    static Result<std::unique_ptr<TlsSettings>> make();
    TlsSettings(const TlsSettings&) = delete;
    TlsSettings& operator=(const TlsSettings&) = delete;
    ~TlsSettings();

private:
    friend class LoopConnection;
    struct Impl;
    explicit TlsSettings(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// One connection, or none.
class LoopConnection {
public:
    /// What came of a step that could not wait.
    enum class Step {
        done,
        /// Again once there is something to read, or room to write.
        wants_to_read,
        wants_to_write,
        /// The peer has nothing more to say.
        ended,
        failed,
    };

    LoopConnection();
    /// Begins to connect to a numeric address. `tls`: with it, the certificate must be for `host`.
    LoopConnection(const std::string& address, std::uint16_t port, const TlsSettings* tls,
                   const std::string& host);
    LoopConnection(LoopConnection&& other) noexcept;
    LoopConnection& operator=(LoopConnection&& other) noexcept;
    LoopConnection(const LoopConnection&) = delete;
    LoopConnection& operator=(const LoopConnection&) = delete;
    ~LoopConnection();

    explicit operator bool() const { return static_cast<bool>(m_socket); }
    int fd() const { return m_socket.get(); }

    /// Goes on with connecting, once the descriptor is ready for what the step before wanted; first
    /// it is to be writable.
    Step go_on();
    /// `count`: the bytes read when it is done.
    Step read(char* target, std::size_t size, std::size_t& count);
    /// All of it or nothing: for a request, which a connection without anything else to send has
    /// room for.
    Step write(std::string_view bytes);
    /// Whether nothing has happened to it while nobody looked.
    bool is_quiet() const;

private:
    struct Tls;
    Step step_of(int status) const;

    UniqueFd m_socket;
    std::unique_ptr<Tls> m_tls;
    bool m_is_connected = false;
};

} // namespace losos
