// Whole files: read with a limit, replace atomically, lock. The only code that writes to disk.
// Replacing a file whole, in one place: dot-named temporary file in the same folder,
// mode and owner before the first byte, fsync, rename, fsync of the folder.
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// Whether a change must survive a power cut: yes under /var/lib and /etc, no under /run.
enum class Durability { durable, until_reboot };

/// How a new version of a file is dated: when it was written, or in a later second than the version
/// before, for readers that tell versions apart by whole seconds.
enum class Dating { as_written, apart };

/// Whether a write found anything to do.
enum class Change { unchanged, changed };

/// The file's bytes; nullopt when there is no such file. Fails when it cannot be read, is not a
/// regular file, a link to nowhere, or larger than `limit` bytes. Never blocks on a FIFO or device.
Result<std::optional<std::string>> read_file(const std::string& path, std::size_t limit);

/// Like read_file, but a file that is not there is an error too.
Result<std::string> read_existing_file(const std::string& path, std::size_t limit);

/// Makes `path` hold `content` with `mode`, atomically. Leaves a file that already does alone.
/// Run as root, the file gets the owner of its directory. On failure the old file is untouched
/// and no temporary file stays. Errc::unusable when there is no such directory.
Result<Change> replace_file(const std::string& path, std::string_view content, mode_t mode,
                            Durability durability, Dating dating = Dating::as_written);

/// Makes `path` hold `content` only if no file is there; `unchanged` when one was. Never
/// overwrites, also when two processes race.
Result<Change> create_file(const std::string& path, std::string_view content, mode_t mode,
                           Durability durability);

/// Removes the file; `unchanged` when there was none.
Result<Change> remove_file(const std::string& path, Durability durability);

/// Removes temporary files that earlier, interrupted replacements of `path` left behind.
void remove_leftovers(const std::string& path);

/// Makes the directory (one level) with `mode` if it is not there; run as root, with the owner of
/// its parent.
Result<void> make_directory(const std::string& path, mode_t mode);

/// What identifies one version of a file without reading it.
struct FileStamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    long long modified_ns = 0;
    long long changed_ns = 0;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// The stamp of the file at `path` (links followed); nullopt when it cannot be examined.
std::optional<FileStamp> stamp_file(const std::string& path);

/// The directory part of a path, "." when it has none.
std::string directory_of(std::string_view path);

/// The error of an act on a file whose directory is not there.
Error no_directory(std::string_view act, const std::string& path);

/// An exclusive flock on a file of its own, held until destroyed. Whoever gets it removes what an
/// interrupted maker of the lock file left.
class FileLock {
public:
    /// Waits for the lock; the lock file is made 0600 when missing.
    static Result<FileLock> wait_for(const std::string& path);
    /// Waits for the lock on the directory of a file, for those who write single files in it and
    /// share no other lock, and removes what an interrupted writer of that file left.
    static Result<FileLock> wait_for_directory_of(const std::string& path);
    /// The lock, or nullopt when another process holds it.
    static Result<std::optional<FileLock>> try_take(const std::string& path);

private:
    explicit FileLock(UniqueFd fd) : m_fd(std::move(fd)) {}
    UniqueFd m_fd;
};

} // namespace losos
