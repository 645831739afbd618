#include "io/time_zones.h"

#include "base/file.h"

#include <sys/stat.h>

#include <algorithm>
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

// Debian packs the files of older names apart, but its list has them: `Z name …` and `L target
// name`.
bool is_listed(const std::string& directory, std::string_view name) {
    const auto list = read_file(directory + "/tzdata.zi", k_limit);
    if (!list || !*list) {
        return false;
    }
    const std::string zone = "Z " + std::string(name) + " ";
    const std::string link = " " + std::string(name);
    std::string_view rest = **list;
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with(zone) || (line.starts_with("L ") && line.ends_with(link))) {
            return true;
        }
    }
    return false;
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
    return (content && *content && (*content)->starts_with(k_magic)) || is_listed(directory, name);
}

} // namespace losos
