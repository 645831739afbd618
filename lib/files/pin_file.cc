#include "files/pin_file.h"

#include "core/path_env.h"
#include "files/document.h"
#include "files/paths.h"

namespace losos::pin_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr mode_t k_directory_mode = 0700;

} // namespace

std::string path_in(const std::string& pins_dir, const Endpoint& edge) {
    return in_directory(pins_dir, pin_file_name(edge));
}

Result<std::optional<NoiseKey>> load(const std::string& path) {
    return document::load<NoiseKey>(path, k_limit, NoiseKey::parse);
}

Result<Change> create(const std::string& path, const NoiseKey& key) {
    TRY(make_directory(directory_of(path), k_directory_mode));
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(path));
    return create_file(path, key.text() + "\n", k_mode, Durability::durable);
}

} // namespace losos::pin_file
