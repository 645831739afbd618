#include "files/key_file.h"

namespace losos::key_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<Change> create(const std::string& path, std::string key) {
    key += '\n';
    auto made = create_file(path, key, k_mode, Durability::durable);
    wipe(key);
    return made;
}

} // namespace losos::key_file
