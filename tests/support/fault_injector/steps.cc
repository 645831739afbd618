#include "steps.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace faults {
namespace {

/// Where a call says what it changes: a descriptor; a path; a directory's descriptor and a path.
enum class Names { descriptor, path, path_in_directory };

struct Call {
    unsigned number;
    const char* name;
    Names names;
    /// The argument that holds the descriptor, or the path if there is none.
    std::size_t argument;
};

// Of two names, the one that is new.
constexpr std::array<Call, 26> k_calls{{
    {SYS_open, "open", Names::path, 0},
    {SYS_creat, "creat", Names::path, 0},
    {SYS_openat, "open", Names::path_in_directory, 0},
    {SYS_write, "write", Names::descriptor, 0},
    {SYS_pwrite64, "write", Names::descriptor, 0},
    {SYS_writev, "write", Names::descriptor, 0},
    {SYS_pwritev, "write", Names::descriptor, 0},
    {SYS_fsync, "fsync", Names::descriptor, 0},
    {SYS_fdatasync, "fsync", Names::descriptor, 0},
    {SYS_ftruncate, "truncate", Names::descriptor, 0},
    {SYS_truncate, "truncate", Names::path, 0},
    {SYS_fchmod, "chmod", Names::descriptor, 0},
    {SYS_chmod, "chmod", Names::path, 0},
    {SYS_fchmodat, "chmod", Names::path_in_directory, 0},
    {SYS_fchown, "chown", Names::descriptor, 0},
    {SYS_fchownat, "chown", Names::path_in_directory, 0},
    {SYS_rename, "rename", Names::path, 1},
    {SYS_renameat, "rename", Names::path_in_directory, 2},
    {SYS_renameat2, "rename", Names::path_in_directory, 2},
    {SYS_link, "link", Names::path, 1},
    {SYS_linkat, "link", Names::path_in_directory, 2},
    {SYS_unlink, "unlink", Names::path, 0},
    {SYS_unlinkat, "unlink", Names::path_in_directory, 0},
    {SYS_rmdir, "rmdir", Names::path, 0},
    {SYS_mkdir, "mkdir", Names::path, 0},
    {SYS_mkdirat, "mkdir", Names::path_in_directory, 0},
}};

constexpr std::uint32_t k_writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

sock_filter load(std::size_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

sock_filter answer(std::uint32_t action) {
    return BPF_STMT(BPF_RET | BPF_K, action);
}

std::string target_of(const std::string& link) {
    std::error_code error;
    return std::filesystem::read_symlink(link, error).string();
}

std::string in_proc(pid_t thread, const std::string& name) {
    return "/proc/" + std::to_string(thread) + "/" + name;
}

/// Page by page: what follows the text may not be mapped.
std::string read_text(pid_t thread, std::uint64_t address) {
    constexpr std::uint64_t k_page = 4096;
    std::string text;
    while (text.size() < PATH_MAX) {
        std::array<char, k_page> page{};
        const std::size_t size = k_page - address % k_page;
        iovec ours{page.data(), size};
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the other process.
        iovec theirs{reinterpret_cast<void*>(address), size};
        const ssize_t count = ::process_vm_readv(thread, &ours, 1, &theirs, 1, 0);
        if (count <= 0) {
            break;
        }
        const std::string_view piece(page.data(), static_cast<std::size_t>(count));
        const auto end = piece.find('\0');
        text.append(piece.substr(0, end));
        if (end != std::string_view::npos) {
            break;
        }
        address += static_cast<std::uint64_t>(count);
    }
    return text;
}

std::string descriptor_path(pid_t thread, std::uint64_t descriptor) {
    const auto number = static_cast<std::int32_t>(descriptor);
    return target_of(number == AT_FDCWD ? in_proc(thread, "cwd")
                                        : in_proc(thread, "fd/" + std::to_string(number)));
}

std::string path_of(pid_t thread, const Call& call, const std::uint64_t* arguments) {
    const std::size_t first = call.argument;
    switch (call.names) {
    case Names::descriptor:
        return descriptor_path(thread, arguments[first]);
    case Names::path:
        return std::filesystem::path(in_proc(thread, "cwd")) / read_text(thread, arguments[first]);
    case Names::path_in_directory:
        break;
    }
    const auto name = read_text(thread, arguments[first + 1]);
    return name.starts_with('/') ? name : descriptor_path(thread, arguments[first]) + "/" + name;
}

bool is_below(const std::string& path, const std::string& directory) {
    return path == directory || path.starts_with(directory + "/");
}

} // namespace

std::vector<sock_filter> make_filter() {
    std::vector<sock_filter> filter{load(offsetof(seccomp_data, nr))};
    for (const Call& call : k_calls) {
        const bool opens = call.number == SYS_open || call.number == SYS_openat;
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.number, 0,
                                  static_cast<std::uint8_t>(opens ? 4 : 1)));
        if (opens) {
            const std::size_t flags = call.number == SYS_open ? 1 : 2;
            filter.push_back(load(offsetof(seccomp_data, args) + flags * sizeof(std::uint64_t)));
            filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, k_writing, 1, 0));
            filter.push_back(answer(SECCOMP_RET_ALLOW));
        }
        filter.push_back(answer(SECCOMP_RET_TRACE));
    }
    filter.push_back(answer(SECCOMP_RET_ALLOW));
    return filter;
}

std::optional<Step> describe_step(pid_t thread, const std::vector<std::string>& directories) {
    __ptrace_syscall_info info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_SECCOMP || info.arch != AUDIT_ARCH_X86_64) {
        return std::nullopt;
    }
    const auto* const call = std::find_if(k_calls.begin(), k_calls.end(), [&](const Call& each) {
        return each.number == info.seccomp.nr;
    });
    if (call == k_calls.end()) {
        return std::nullopt;
    }
    Step step{call->name, path_of(thread, *call, info.seccomp.args)};
    const bool counts =
        std::any_of(directories.begin(), directories.end(),
                    [&](const std::string& directory) { return is_below(step.path, directory); });
    return counts ? std::optional(std::move(step)) : std::nullopt;
}

bool fail_call(pid_t thread, int error_number) {
    user_regs_struct registers{};
    if (::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0) {
        return false;
    }
    // No call has this number: the kernel does nothing and leaves the result as it finds it.
    registers.orig_rax = ~0ULL;
    registers.rax = static_cast<unsigned long long>(-static_cast<long long>(error_number));
    return ::ptrace(PTRACE_SETREGS, thread, nullptr, &registers) == 0;
}

} // namespace faults
