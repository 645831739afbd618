#include "base/file_facts.h"

#include "base/format.h"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace losos {

namespace {

std::string account_of(uid_t uid) {
    const passwd* const account = getpwuid(uid);
    return account != nullptr ? account->pw_name : std::to_string(uid);
}

} // namespace

EntryFacts examine_entry(const std::string& path) {
    EntryFacts facts;
    struct stat entry {};
    if (stat(path.c_str(), &entry) != 0) {
        facts.fault = errno;
        return facts;
    }
    facts.is_file = S_ISREG(entry.st_mode);
    facts.is_directory = S_ISDIR(entry.st_mode);
    facts.mode = entry.st_mode & ~static_cast<mode_t>(S_IFMT);
    facts.owner = account_of(entry.st_uid);
    struct statvfs disk {};
    if (statvfs(path.c_str(), &disk) == 0) {
        facts.read_only_disk = (disk.f_flag & ST_RDONLY) != 0;
        facts.free_bytes = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
        // Some file systems make files as they need them, and count none.
        facts.free_files = disk.f_files == 0 ? UINT64_MAX : disk.f_favail;
    }
    return facts;
}

Result<void> check_directory(const std::string& path, std::string_view remedy) {
    const auto facts = examine_entry(path);
    const bool is_missing =
        facts.fault == 0 ? !facts.is_directory : facts.fault == ENOENT || facts.fault == ENOTDIR;
    if (is_missing) {
        return fail(Errc::unusable, "there is no directory {}; {}", path, remedy);
    }
    return {};
}

std::optional<std::string> first_account(const std::vector<std::string>& names) {
    for (const auto& name : names) {
        if (getpwnam(name.c_str()) != nullptr) {
            return name;
        }
    }
    return std::nullopt;
}

std::vector<std::string> names_ending(const std::string& directory,
                                      const std::vector<std::string>& endings) {
    std::vector<std::string> names;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator(directory, fault)) {
        const auto name = entry.path().filename().string();
        const bool is_wanted =
            !name.starts_with('.') &&
            std::any_of(endings.begin(), endings.end(),
                        [&](const std::string& ending) { return name.ends_with(ending); });
        if (is_wanted) {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace losos
