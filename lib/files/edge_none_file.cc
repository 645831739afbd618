#include "files/edge_none_file.h"

namespace losos::edge_none_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<Change> store(const std::string& path) {
    return replace_file(path, "", k_mode, Durability::until_reboot);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::until_reboot);
}

} // namespace losos::edge_none_file
