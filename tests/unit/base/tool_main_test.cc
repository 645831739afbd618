#include "base/tool_main.h"

#include "base/format.h"
#include "base/log.h"

#include "support/catch.h"
#include "unit/base/captured_stream.h"

#include <sys/prctl.h>
#include <sys/stat.h>

#include <csignal>
#include <stdexcept>

using namespace losos;

namespace {

struct Outcome {
    int code = -1;
    std::string said;
};

Outcome outcome_of(const std::function<Result<void>()>& run) {
    const mode_t mask = ::umask(0);
    const test::CapturedStream captured(STDERR_FILENO);
    Outcome outcome;
    outcome.code = tool_main("losos-tool", run);
    outcome.said = captured.take();
    set_log_name("");
    ::umask(mask);
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return outcome;
}

} // namespace

TEST_CASE("base/tool_main: a tool leaves no core dump") {
    int dumpable = -1;
    outcome_of([&] {
        dumpable = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
        return Result<void>();
    });
    CHECK(dumpable == 0);
}

TEST_CASE("base/tool_main: success is 0 and silent") {
    const Outcome outcome = outcome_of([] { return Result<void>(); });
    CHECK(outcome.code == 0);
    CHECK(outcome.said.empty());
}

TEST_CASE("base/tool_main: an error is one line and the exit code of its kind") {
    for (const Errc code :
         {Errc::failed, Errc::usage, Errc::refused, Errc::no_answer, Errc::unusable}) {
        const Outcome outcome =
            outcome_of([code]() -> Result<void> { return fail(code, "cannot do\nit"); });
        CHECK(outcome.code == static_cast<int>(code));
        CHECK(outcome.said == "losos-tool: cannot do\\x0ait\n");
    }
}

TEST_CASE("base/tool_main: what a library throws is a failure with a message") {
    const Outcome known =
        outcome_of([]() -> Result<void> { throw std::runtime_error("out of luck"); });
    CHECK(known.code == 1);
    CHECK(known.said == "losos-tool: unexpected fault: out of luck\n");
    const Outcome unknown = outcome_of([]() -> Result<void> { throw 7; });
    CHECK(unknown.code == 1);
    CHECK(unknown.said == "losos-tool: unexpected fault of an unknown kind\n");
}

TEST_CASE("base/tool_main: a tool runs with closed permissions and without SIGPIPE") {
    mode_t mask = 0;
    outcome_of([&mask]() -> Result<void> {
        mask = ::umask(0);
        std::raise(SIGPIPE);
        return {};
    });
    CHECK(mask == 077);
}

TEST_CASE("base/tool_main: output that cannot be written is a failure") {
    const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    REQUIRE(full);
    const UniqueFd saved(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    std::fflush(stdout);
    ::dup2(full.get(), STDOUT_FILENO);
    const Outcome outcome = outcome_of([]() -> Result<void> {
        std::fputs("an answer", stdout);
        return {};
    });
    ::dup2(saved.get(), STDOUT_FILENO);
    std::clearerr(stdout);
    CHECK(outcome.code == 1);
    CHECK(outcome.said == "losos-tool: cannot write to standard output\n");
}
