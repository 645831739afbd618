#include "io/time_zones.h"

#include "base/file.h"

#include <sys/stat.h>

#include <cstdlib>
#include <string>

namespace losos {
namespace {

// Where the C library looks as well.
constexpr const char* k_variable = "TZDIR";
constexpr const char* k_directory = "/usr/share/zoneinfo";
constexpr std::string_view k_magic = "TZif";
constexpr std::size_t k_limit = std::size_t{1024} * 1024;

bool is_directory(const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

} // namespace

bool is_known_zone(std::string_view name) {
    // What else lies in there - posix/, right/, localtime - begins with a small letter.
    if (name.empty() || name.front() < 'A' || name.front() > 'Z') {
        return false;
    }
    const char* elsewhere = std::getenv(k_variable);
    const std::string directory = elsewhere != nullptr ? elsewhere : k_directory;
    if (!is_directory(directory)) {
        return true;
    }
    const auto content = read_file(directory + "/" + std::string(name), k_limit);
    return content && *content && (*content)->starts_with(k_magic);
}

} // namespace losos
