#include "files/edge_path_env_file.h"

#include "files/document.h"

namespace losos::edge_path_env_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<std::optional<EdgePath>> load(const std::string& path) {
    return document::load<EdgePath>(path, k_limit, parse_edge_path, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const EdgePath& edge) {
    TRY_ASSIGN(const std::string text, render_edge_path(edge));
    return replace_file(path, text, k_mode, Durability::until_reboot);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::until_reboot);
}

} // namespace losos::edge_path_env_file
