// The system calls that change a disk, and what one of them is about to touch.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace faults {

/// A change of the disk that a traced thread is about to make.
struct Step {
    std::string call;
    std::string path;
};

/// A filter that stops a traced thread before each of these calls and lets every other one go on.
std::vector<sock_filter> make_filter();

/// What the stopped thread is about to do; nullopt when it is nothing below one of the directories.
std::optional<Step> describe_step(pid_t thread, const std::vector<std::string>& directories);

/// Makes the stopped thread's call fail with that errno, without anything being done.
bool fail_call(pid_t thread, int error_number);

} // namespace faults
