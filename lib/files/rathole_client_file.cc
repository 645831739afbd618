#include "files/rathole_client_file.h"

#include "core/rathole_config.h"
#include "files/document.h"

namespace losos::rathole_client_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr mode_t k_directory_mode = 0700;

} // namespace

Result<FileLock> lock(const std::string& path) {
    TRY(make_directory(directory_of(path), k_directory_mode));
    return FileLock::wait_for_directory_of(path);
}

Result<std::optional<std::vector<RowId>>> load_services(const std::string& path) {
    return document::load<std::vector<RowId>>(path, k_limit, parse_rathole_client_services,
                                              document::Remedy::next_write);
}

Result<std::optional<std::string>> load(const std::string& path) {
    return document::load_text(path, k_limit);
}

Result<Change> store(const std::string& path, const std::string& text, Durability durability) {
    TRY(make_directory(directory_of(path), k_directory_mode));
    return replace_file(path, text, k_mode, durability);
}

Result<Change> remove(const std::string& path, Durability durability) {
    return remove_file(path, durability);
}

} // namespace losos::rathole_client_file
