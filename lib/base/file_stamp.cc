#include "base/file.h"

#include <sys/stat.h>

namespace losos {

std::optional<FileStamp> stamp_file(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return std::nullopt;
    }
    const auto in_ns = [](const timespec& time) {
        return static_cast<long long>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    };
    return FileStamp{status.st_dev, status.st_ino, status.st_size, in_ns(status.st_mtim),
                     in_ns(status.st_ctim)};
}

} // namespace losos
