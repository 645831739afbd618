#include "files/rathole_server_file.h"

#include "files/document.h"

namespace losos::rathole_server_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<std::optional<std::string>> load(const std::string& path) {
    return document::load_text(path, k_limit);
}

Result<Change> store(const std::string& path, const std::string& text) {
    return replace_file(path, text, k_mode, Durability::durable);
}

Result<Change> create(const std::string& path, const std::string& text) {
    return create_file(path, text, k_mode, Durability::durable);
}

} // namespace losos::rathole_server_file
