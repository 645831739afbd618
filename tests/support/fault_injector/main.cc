// Runs a program and lets the worst happen at a chosen change of the disk: it is killed there, or
// the change fails. Works on any program, whatever runtime is linked into it.
#include "plan.h"
#include "steps.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace faults;

constexpr int k_cannot = 125;
constexpr unsigned long k_options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC |
                                    PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                                    PTRACE_O_TRACESYSGOOD;

volatile pid_t traced_process = 0;

void pass_on(int signal) {
    ::kill(traced_process, signal);
}

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "fault injector: cannot %s: %s\n", what, std::strerror(errno));
    std::_Exit(k_cannot);
}

struct Arguments {
    std::string plan_file;
    std::string step_file;
    std::vector<std::string> directories;
    char** program = nullptr;
};

Arguments parse_arguments(int argc, char** argv) {
    constexpr int k_least = 6;
    Arguments arguments;
    int next = 3;
    while (next < argc && std::strcmp(argv[next], "--") != 0) {
        arguments.directories.emplace_back(argv[next++]);
    }
    if (argc < k_least || next + 1 >= argc) {
        std::fputs("usage: losos-fault-injector PLAN STEPS DIRECTORY... -- PROGRAM...\n", stderr);
        std::_Exit(k_cannot);
    }
    arguments.plan_file = argv[1];
    arguments.step_file = argv[2];
    arguments.program = argv + next + 1;
    return arguments;
}

/// Waits until it is traced, then becomes the program.
[[noreturn]] void become(char** program, int go) {
    char byte = 0;
    if (::read(go, &byte, 1) != 1) {
        std::_Exit(k_cannot);
    }
    ::close(go);
    auto filter = make_filter();
    const sock_fprog whole{static_cast<unsigned short>(filter.size()), filter.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) != 0) {
        give_up("set a seccomp filter");
    }
    ::execv(program[0], program);
    give_up(program[0]);
}

class Tracer {
public:
    explicit Tracer(const Arguments& arguments)
        : m_arguments(arguments), m_log(arguments.step_file, std::ios::app) {}

    void start() {
        int go[2];
        if (::pipe(go) != 0) {
            give_up("make a pipe");
        }
        m_process = ::fork();
        if (m_process == 0) {
            ::close(go[1]);
            become(m_arguments.program, go[0]);
        }
        traced_process = m_process;
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) {
            std::signal(signal, pass_on);
        }
        if (::ptrace(PTRACE_SEIZE, m_process, nullptr, k_options) != 0) {
            ::kill(m_process, SIGKILL);
            give_up("trace the program");
        }
        m_log << "pid " << m_process << std::endl;
        if (::write(go[1], "g", 1) != 1) {
            give_up("let the program go");
        }
        ::close(go[0]);
        ::close(go[1]);
    }

    /// Until the program has ended; returns how, as wait() tells it.
    int run() {
        for (;;) {
            int status = 0;
            const pid_t thread = ::waitpid(-1, &status, __WALL);
            if (thread < 0) {
                if (errno == EINTR) {
                    continue;
                }
                give_up("wait for the program");
            }
            if (WIFSTOPPED(status)) {
                stopped(thread, status);
            } else if (thread == m_process) {
                return status;
            }
        }
    }

private:
    void stopped(pid_t thread, int status) {
        const int signal = WSTOPSIG(status);
        const int event = status >> 16;
        if (signal == (SIGTRAP | 0x80)) {
            leave_call(thread);
        } else if (event == PTRACE_EVENT_SECCOMP) {
            meet_call(thread);
        } else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
            ::ptrace(PTRACE_LISTEN, thread, nullptr, nullptr);
        } else {
            ::ptrace(PTRACE_CONT, thread, nullptr, event == 0 ? signal : 0);
        }
    }

    void meet_call(pid_t thread) {
        const auto step = describe_step(thread, m_arguments.directories);
        const auto plan = step ? load_plan(m_arguments.plan_file) : std::nullopt;
        auto resume = PTRACE_CONT;
        if (plan) {
            if (plan->name != m_plan) {
                m_plan = plan->name;
                m_count = 0;
            }
            const auto fate = fate_of(*plan, ++m_count);
            m_log << m_plan << ' ' << m_count << ' ' << outcome(fate) << ' ' << step->call << ' '
                  << step->path << std::endl;
            if (fate == Action::kill_before) {
                ::kill(m_process, SIGKILL);
                return;
            }
            if (fate == Action::kill_after) {
                m_last_call = thread;
                resume = PTRACE_SYSCALL;
            } else if (fate && !fail_call(thread, plan->error_number)) {
                give_up("make a call fail");
            }
        }
        ::ptrace(resume, thread, nullptr, nullptr);
    }

    void leave_call(pid_t thread) {
        __ptrace_syscall_info info{};
        ::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
        if (thread == m_last_call && info.op == PTRACE_SYSCALL_INFO_EXIT) {
            ::kill(m_process, SIGKILL);
            return;
        }
        ::ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
    }

    static const char* outcome(const std::optional<Action>& fate) {
        if (!fate) {
            return "done";
        }
        return *fate == Action::kill_before || *fate == Action::kill_after ? "killed" : "failed";
    }

    const Arguments& m_arguments;
    std::ofstream m_log;
    pid_t m_process = 0;
    pid_t m_last_call = 0;
    std::string m_plan;
    long m_count = 0;
};

} // namespace

int main(int argc, char** argv) {
    const Arguments arguments = parse_arguments(argc, argv);
    Tracer tracer(arguments);
    tracer.start();
    const int status = tracer.run();
    if (WIFSIGNALED(status)) {
        // Ends as the program did.
        std::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}
