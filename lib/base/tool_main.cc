#include "base/tool_main.h"

#include "base/log.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace losos {
namespace {

// Started with a closed standard stream, the next file opened would take its number, and messages
// would end up inside that file.
void open_standard_streams() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) == -1) {
            std::abort();
        }
    }
}

Result<void> run_and_flush(const std::function<Result<void>()>& run) {
    TRY(run());
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        return fail(Errc::failed, "cannot write to standard output");
    }
    return {};
}

Result<void> run_without_exceptions(const std::function<Result<void>()>& run) {
    try {
        return run_and_flush(run);
    } catch (const std::exception& exception) {
        return fail(Errc::failed, "unexpected fault: {}", exception.what());
    } catch (...) {
        return fail(Errc::failed, "unexpected fault of an unknown kind");
    }
}

} // namespace

int tool_main(std::string_view tool, const std::function<Result<void>()>& run) {
    open_standard_streams();
    // Tokens are in memory: no core dump, and no other process of the same user may look.
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // A peer that goes away is an error of one write, not the end of the tool.
    std::signal(SIGPIPE, SIG_IGN);
    // Every file gets its mode explicitly; what a library makes on its own is nobody else's.
    ::umask(077);
    set_log_name(tool);
    const Result<void> outcome = run_without_exceptions(run);
    if (outcome) {
        return 0;
    }
    log_line(LogLevel::error, outcome.error().what);
    return static_cast<int>(outcome.error().code);
}

} // namespace losos
