#include "base/file.h"

#include "base/crypto.h"
#include "base/format.h"
#include "base/hex.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

namespace losos {
namespace {

constexpr mode_t k_mode_bits = 07777;
constexpr std::size_t k_random_bytes = 6;

std::string cause_of(int error_number) {
    return std::generic_category().message(error_number);
}

Error cannot(std::string_view act, const std::string& path, int error_number) {
    return fail(Errc::failed, "cannot {} {}: {}", act, path, cause_of(error_number));
}

std::string_view base_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

struct Owner {
    uid_t user = 0;
    gid_t group = 0;

    friend bool operator==(const Owner&, const Owner&) = default;
};

bool runs_as_root() {
    return ::geteuid() == 0;
}

/// The open directory of a file, and the file's name in it: every step of one change then speaks
/// of the same directory, even if its path is renamed meanwhile.
struct Place {
    UniqueFd directory;
    std::string name;
    Owner owner;
};

Result<Place> open_place(std::string_view act, const std::string& path) {
    Place place;
    place.name = base_name(path);
    if (place.name.empty()) {
        return fail(Errc::failed, "cannot {} \"{}\": it names no file", act, path);
    }
    const std::string directory = directory_of(path);
    place.directory = UniqueFd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status {};
    if (!place.directory || ::fstat(place.directory.get(), &status) != 0) {
        return errno == ENOENT ? no_directory(act, path) : cannot(act, path, errno);
    }
    place.owner = {status.st_uid, status.st_gid};
    return place;
}

/// Reads to the end of the file or until more than `limit` bytes are there; an errno, or 0.
int read_up_to(int fd, std::size_t limit, std::string& content) {
    std::array<char, 16384> buffer{};
    while (content.size() <= limit) {
        const std::size_t room = std::min(buffer.size(), limit + 1 - content.size());
        const ssize_t count = ::read(fd, buffer.data(), room);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        if (count == 0) {
            return 0;
        }
        content.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return 0;
}

int write_all(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t count = ::write(fd, content.data(), content.size());
        if (count >= 0) {
            content.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/// Whether the file is there already as it should be. A link is never taken for the file.
bool is_already(const Place& place, std::string_view content, mode_t mode) {
    const UniqueFd fd(::openat(place.directory.get(), place.name.c_str(),
                               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        (status.st_mode & k_mode_bits) != mode ||
        static_cast<std::size_t>(status.st_size) != content.size() ||
        (runs_as_root() && Owner{status.st_uid, status.st_gid} != place.owner)) {
        return false;
    }
    std::string present;
    return read_up_to(fd.get(), content.size(), present) == 0 && present == content;
}

/// Gives an open file a modification time of a later second than that of the file it is to replace;
/// an errno, or 0.
int date_apart(int fd, const Place& place) {
    struct stat old {};
    struct stat fresh {};
    if (::fstatat(place.directory.get(), place.name.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0 ||
        ::fstat(fd, &fresh) != 0 || old.st_mtim.tv_sec < fresh.st_mtim.tv_sec) {
        return 0;
    }
    const std::array<timespec, 2> times{{{0, UTIME_OMIT}, {old.st_mtim.tv_sec + 1, 0}}};
    return ::futimens(fd, times.data()) != 0 ? errno : 0;
}

/// A file beside its target that goes away unless it takes the target's name.
class TemporaryFile {
public:
    explicit TemporaryFile(const Place& place)
        : m_place(place), m_name(format(".{}.{}-{}.tmp", place.name, ::getpid(),
                                        hex_encode(random_bytes(k_random_bytes)))) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (m_exists) {
            ::unlinkat(m_place.directory.get(), m_name.c_str(), 0);
        }
    }

    /// Each step returns an errno, or 0.
    int fill(std::string_view content, mode_t mode, Durability durability,
             Dating dating = Dating::as_written) {
        const UniqueFd fd(::openat(m_place.directory.get(), m_name.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!fd) {
            return errno;
        }
        m_exists = true;
        const Owner owner = m_place.owner;
        // The owner first: a change of owner may clear mode bits.
        if (runs_as_root() && ::fchown(fd.get(), owner.user, owner.group) != 0) {
            return errno;
        }
        if (::fchmod(fd.get(), mode) != 0) {
            return errno;
        }
        if (const int error = write_all(fd.get(), content); error != 0) {
            return error;
        }
        if (dating == Dating::apart) {
            if (const int error = date_apart(fd.get(), m_place); error != 0) {
                return error;
            }
        }
        return durability == Durability::durable && ::fsync(fd.get()) != 0 ? errno : 0;
    }

    int take_name() {
        const int directory = m_place.directory.get();
        if (::renameat(directory, m_name.c_str(), directory, m_place.name.c_str()) != 0) {
            return errno;
        }
        m_exists = false;
        return 0;
    }

    /// Like take_name, but EEXIST when the name is taken.
    int take_free_name() {
        const int directory = m_place.directory.get();
        const char* const name = m_place.name.c_str();
        if (::renameat2(directory, m_name.c_str(), directory, name, RENAME_NOREPLACE) == 0) {
            m_exists = false;
            return 0;
        }
        if (errno != EINVAL && errno != ENOSYS) {
            return errno;
        }
        // Not every file system knows RENAME_NOREPLACE; a hard link refuses a taken name too.
        return ::linkat(directory, m_name.c_str(), directory, name, 0) == 0 ? 0 : errno;
    }

private:
    const Place& m_place;
    std::string m_name;
    bool m_exists = false;
};

Result<Change> settle(const Place& place, std::string_view act, const std::string& path,
                      Durability durability) {
    if (durability == Durability::durable && ::fsync(place.directory.get()) != 0) {
        return cannot(act, path, errno);
    }
    return Change::changed;
}

bool is_all(std::string_view text, std::string_view allowed) {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_leftover(std::string_view entry, std::string_view name) {
    const std::string prefix = format(".{}.", name);
    constexpr std::string_view suffix = ".tmp";
    if (!entry.starts_with(prefix) || !entry.ends_with(suffix) ||
        entry.size() < prefix.size() + suffix.size()) {
        return false;
    }
    entry.remove_prefix(prefix.size());
    entry.remove_suffix(suffix.size());
    const auto dash = entry.find('-');
    return dash != std::string_view::npos && is_all(entry.substr(0, dash), "0123456789") &&
           is_all(entry.substr(dash + 1), "0123456789abcdef") &&
           entry.size() - dash - 1 == k_random_bytes * 2;
}

} // namespace

Result<std::optional<std::string>> read_file(const std::string& path, std::size_t limit) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd) {
        if (errno != ENOENT) {
            return cannot("read", path, errno);
        }
        // What it leads to may be on a disk that is not mounted: not the same as no file.
        struct stat link {};
        if (::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
            return fail(Errc::failed, "{} is a link to nowhere; mend the link or remove it", path);
        }
        return std::optional<std::string>();
    }
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) {
        return cannot("read", path, errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return fail(Errc::failed, "{} is a directory, not a file", path);
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(Errc::failed, "{} is not a regular file", path);
    }
    std::string content;
    if (const int error = read_up_to(fd.get(), limit, content); error != 0) {
        return cannot("read", path, error);
    }
    if (content.size() > limit) {
        return fail(Errc::failed, "{} is larger than {} bytes", path, limit);
    }
    return std::optional(std::move(content));
}

Result<std::string> read_existing_file(const std::string& path, std::size_t limit) {
    TRY_ASSIGN(auto content, read_file(path, limit));
    if (!content) {
        return cannot("read", path, ENOENT);
    }
    return *std::move(content);
}

Result<Change> replace_file(const std::string& path, std::string_view content, mode_t mode,
                            Durability durability, Dating dating) {
    TRY_ASSIGN(const Place place, open_place("write", path));
    if (is_already(place, content, mode)) {
        return Change::unchanged;
    }
    TemporaryFile file(place);
    int error = file.fill(content, mode, durability, dating);
    if (error == 0) {
        error = file.take_name();
    }
    if (error != 0) {
        return cannot("write", path, error);
    }
    return settle(place, "write", path, durability);
}

Result<Change> create_file(const std::string& path, std::string_view content, mode_t mode,
                           Durability durability) {
    TRY_ASSIGN(const Place place, open_place("write", path));
    struct stat status {};
    if (::fstatat(place.directory.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return Change::unchanged;
    }
    TemporaryFile file(place);
    int error = file.fill(content, mode, durability);
    if (error == 0) {
        error = file.take_free_name();
    }
    if (error == EEXIST) {
        return Change::unchanged;
    }
    if (error != 0) {
        return cannot("write", path, error);
    }
    return settle(place, "write", path, durability);
}

Result<Change> remove_file(const std::string& path, Durability durability) {
    auto place = open_place("remove", path);
    if (!place) {
        // Without its directory the file is not there either.
        struct stat status {};
        if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) {
            return Change::unchanged;
        }
        return std::move(place).error();
    }
    if (::unlinkat(place->directory.get(), place->name.c_str(), 0) != 0) {
        if (errno == ENOENT) {
            return Change::unchanged;
        }
        return cannot("remove", path, errno);
    }
    return settle(*place, "remove", path, durability);
}

void remove_leftovers(const std::string& path) {
    const auto place = open_place("clean", path);
    if (!place) {
        return;
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(directory_of(path).c_str()),
                                                      ::closedir);
    if (!listing) {
        return;
    }
    while (const dirent* const entry = ::readdir(listing.get())) {
        if (is_leftover(entry->d_name, place->name)) {
            ::unlinkat(place->directory.get(), entry->d_name, 0);
        }
    }
}

Result<void> make_directory(const std::string& path, mode_t mode) {
    const auto end = path.find_last_not_of('/');
    const std::string name = path.substr(0, end == std::string::npos ? path.size() : end + 1);
    struct stat status {};
    if (::stat(name.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return {};
        }
        return fail(Errc::failed, "{} is not a directory", name);
    }
    TRY_ASSIGN(const Place place, open_place("make directory", name));
    if (::mkdirat(place.directory.get(), place.name.c_str(), 0700) != 0) {
        // Another process may have made it meanwhile; anything else in the way is a fault.
        if (errno == EEXIST && ::stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
            return {};
        }
        return cannot("make directory", name, errno);
    }
    const UniqueFd fd(::openat(place.directory.get(), place.name.c_str(),
                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd || (runs_as_root() && ::fchown(fd.get(), place.owner.user, place.owner.group) != 0) ||
        ::fchmod(fd.get(), mode) != 0) {
        const int error = errno;
        // One that stayed would be taken as it is the next time, with the wrong owner.
        ::unlinkat(place.directory.get(), place.name.c_str(), AT_REMOVEDIR);
        return cannot("make directory", name, error);
    }
    return {};
}

std::string directory_of(std::string_view path) {
    const auto name_end = path.find_last_not_of('/');
    if (name_end == std::string_view::npos) {
        return path.empty() ? "." : "/";
    }
    const auto slash = path.rfind('/', name_end);
    if (slash == std::string_view::npos) {
        return ".";
    }
    const auto end = path.find_last_not_of('/', slash);
    return end == std::string_view::npos ? "/" : std::string(path.substr(0, end + 1));
}

Error no_directory(std::string_view act, const std::string& path) {
    return fail(Errc::unusable, "cannot {} {}: there is no directory {}; make it", act, path,
                directory_of(path));
}

} // namespace losos
