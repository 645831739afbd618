// A stretch of code in which a peer that hangs up does not end the process: TLS writes without
// MSG_NOSIGNAL.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <ctime>

namespace losos {

class NoSigpipe {
public:
    NoSigpipe() {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    NoSigpipe(const NoSigpipe&) = delete;
    NoSigpipe& operator=(const NoSigpipe&) = delete;
    ~NoSigpipe() {
        const timespec at_once{};
        while (sigismember(&m_before, SIGPIPE) == 0 &&
               sigtimedwait(&m_pipe, nullptr, &at_once) > 0) {
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    sigset_t m_pipe{};
    sigset_t m_before{};
};

} // namespace losos
