#include "base/file.h"
#include "base/format.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace losos {
namespace {

constexpr mode_t k_lock_mode = 0600;

Error cannot_lock(const std::string& path, int error_number) {
    return fail(Errc::failed, "cannot lock {}: {}", path,
                std::generic_category().message(error_number));
}

/// Whether the path still leads to the file that is open: a lock on a file that was removed or
/// replaced keeps nobody out.
bool still_names(const std::string& path, int fd) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// An open lock file, made when missing. Made whole (owner and mode) before it takes its name, so
/// that what root makes is never closed to the owner of the directory.
Result<UniqueFd> open_lock_file(const std::string& path) {
    for (;;) {
        constexpr int k_flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
        UniqueFd fd(::open(path.c_str(), O_RDWR | k_flags));
        if (!fd && errno == EROFS) {
            // Whoever only reads on such a disk is not to be stopped by the lock.
            fd = UniqueFd(::open(path.c_str(), O_RDONLY | k_flags));
        }
        if (fd) {
            struct stat status {};
            if (::fstat(fd.get(), &status) != 0) {
                return cannot_lock(path, errno);
            }
            if (!S_ISREG(status.st_mode)) {
                return fail(Errc::failed, "cannot lock {}: it is not a regular file", path);
            }
            return fd;
        }
        if (errno != ENOENT) {
            return cannot_lock(path, errno);
        }
        const auto made = create_file(path, {}, k_lock_mode, Durability::until_reboot);
        // Whoever was first may have taken ours for a left-over.
        if (!made && !stamp_file(path)) {
            return made.error();
        }
    }
}

/// False when `operation` does not wait and another holds the lock.
Result<bool> take(const std::string& path, int fd, int operation) {
    while (::flock(fd, operation) != 0) {
        if (errno == EWOULDBLOCK) {
            return false;
        }
        if (errno != EINTR) {
            return cannot_lock(path, errno);
        }
    }
    return true;
}

/// The locked file, or an empty descriptor when `operation` does not wait and another holds it.
Result<UniqueFd> lock(const std::string& path, int operation) {
    for (;;) {
        TRY_ASSIGN(UniqueFd fd, open_lock_file(path));
        TRY_ASSIGN(const bool taken, take(path, fd.get(), operation));
        if (!taken) {
            return UniqueFd();
        }
        if (still_names(path, fd.get())) {
            remove_leftovers(path);
            return fd;
        }
    }
}

} // namespace

Result<FileLock> FileLock::wait_for(const std::string& path) {
    TRY_ASSIGN(UniqueFd fd, lock(path, LOCK_EX));
    return FileLock(std::move(fd));
}

Result<FileLock> FileLock::wait_for_directory_of(const std::string& path) {
    UniqueFd fd(::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd && errno == ENOENT) {
        return no_directory("lock the directory of", path);
    }
    if (!fd) {
        return fail(Errc::failed, "cannot lock the directory of {}: {}", path,
                    std::generic_category().message(errno));
    }
    TRY(take(path, fd.get(), LOCK_EX));
    remove_leftovers(path);
    return FileLock(std::move(fd));
}

Result<std::optional<FileLock>> FileLock::try_take(const std::string& path) {
    TRY_ASSIGN(UniqueFd fd, lock(path, LOCK_EX | LOCK_NB));
    if (!fd) {
        return std::optional<FileLock>();
    }
    return std::optional(FileLock(std::move(fd)));
}

} // namespace losos
