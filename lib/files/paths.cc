#include "files/paths.h"

#include "base/file.h"

namespace losos {

std::string in_directory(std::string_view directory, std::string_view default_path) {
    std::string path(directory);
    if (!path.ends_with('/')) {
        path += '/';
    }
    path += default_path.substr(default_path.rfind('/') + 1);
    return path;
}

std::string beside(std::string_view neighbour, std::string_view default_path) {
    return in_directory(directory_of(neighbour), default_path);
}

} // namespace losos
