#include "stop_at_once.h"

#include <pthread.h>
#include <unistd.h>

#include <initializer_list>

namespace losos {

StopAtOnce::StopAtOnce() {
    struct sigaction action {};
    action.sa_handler = [](int) {
        _exit(0);
    };
    sigset_t stops;
    sigemptyset(&stops);
    for (const int stop : {SIGTERM, SIGINT}) {
        sigaction(stop, &action, nullptr);
        sigaddset(&stops, stop);
    }
    pthread_sigmask(SIG_UNBLOCK, &stops, &m_before);
}

StopAtOnce::~StopAtOnce() {
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace losos
