#include "files/traefik_file.h"

#include "files/document.h"

namespace losos::traefik_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<std::optional<std::string>> load(const std::string& path) {
    return document::load_text(path, k_limit);
}

Result<Change> store(const std::string& path, const std::optional<std::string>& text) {
    return text ? replace_file(path, *text, k_mode, Durability::durable)
                : remove_file(path, Durability::durable);
}

} // namespace losos::traefik_file
