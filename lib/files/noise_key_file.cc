#include "files/noise_key_file.h"

#include "files/key_file.h"

namespace losos::noise_key_file {
namespace {

constexpr mode_t k_public_mode = 0644;

} // namespace

Result<std::optional<NoiseKey>> load(const std::string& path) {
    return key_file::load<NoiseKey>(path, k_limit);
}

Result<std::optional<NoiseKey>> load_private(const std::string& path) {
    TRY(key_file::check_private_name(path));
    return load(path);
}

Result<Change> create_private(const std::string& path, const NoiseKey& key) {
    TRY(key_file::check_private_name(path));
    return key_file::create(path, key.text());
}

Result<Change> store_public(const std::string& path, const NoiseKey& key) {
    return replace_file(path, key.text() + "\n", k_public_mode, Durability::durable);
}

std::string public_path(const std::string& private_path) {
    return private_path + ".pub";
}

} // namespace losos::noise_key_file
