// Lets a stop signal end the program in the middle of a call. Nothing is half written then, and a
// silent edge must not hold up the switch to another one.
#pragma once

#include <signal.h>

namespace losos {

/// While it lives, SIGTERM and SIGINT end the process at once with exit code 0; afterwards they are
/// blocked as before.
class StopAtOnce {
public:
    StopAtOnce();
    StopAtOnce(const StopAtOnce&) = delete;
    StopAtOnce& operator=(const StopAtOnce&) = delete;
    ~StopAtOnce();

private:
    sigset_t m_before{};
};

} // namespace losos
