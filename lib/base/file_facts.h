// What the kernel says of a file or directory without opening it: kind, mode, owner, and the room
// on its disk.
#pragma once

#include "base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

struct EntryFacts {
    /// 0 when it could be examined, else the errno.
    int fault = 0;
    bool is_file = false;
    bool is_directory = false;
    mode_t mode = 0;
    /// The account's name, or its number when it has none.
    std::string owner;
    bool read_only_disk = false;
    std::uint64_t free_bytes = 0;
    std::uint64_t free_files = 0;
};

/// Links are followed.
EntryFacts examine_entry(const std::string& path);

/// Fails (Errc::unusable) when there is no such directory, and no other fault is in the way of
/// seeing that; `remedy` ends the sentence.
Result<void> check_directory(const std::string& path, std::string_view remedy);

/// The name of the first of the accounts that exists; nullopt when none does.
std::optional<std::string> first_account(const std::vector<std::string>& names);

/// The names in a directory that end in one of these, sorted, those of hidden files left out; none
/// when it cannot be read.
std::vector<std::string> names_ending(const std::string& directory,
                                      const std::vector<std::string>& endings);

} // namespace losos
