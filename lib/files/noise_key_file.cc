#include "files/noise_key_file.h"

#include "base/crypto.h"
#include "files/document.h"

#include <utility>

namespace losos::noise_key_file {
namespace {

constexpr mode_t k_private_mode = 0600;
constexpr mode_t k_public_mode = 0644;

} // namespace

Result<std::optional<NoiseKey>> load(const std::string& path) {
    TRY_ASSIGN(auto text, document::load_text(path, k_limit));
    if (!text) {
        return std::optional<NoiseKey>();
    }
    auto key = NoiseKey::parse(*text);
    wipe(*text);
    if (!key) {
        return document::unusable(path, key.error());
    }
    return std::optional(*std::move(key));
}

Result<Change> create_private(const std::string& path, const NoiseKey& key) {
    return create_file(path, key.text() + "\n", k_private_mode, Durability::durable);
}

Result<Change> store_public(const std::string& path, const NoiseKey& key) {
    return replace_file(path, key.text() + "\n", k_public_mode, Durability::durable);
}

std::string public_path(const std::string& private_path) {
    return private_path + ".pub";
}

} // namespace losos::noise_key_file
