#include "files/zone_file.h"

#include "files/document.h"

namespace losos::zone_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<std::optional<std::string>> load(const std::string& path) {
    return document::load_text(path, k_limit);
}

Result<Change> store(const std::string& path, const std::string& text) {
    return replace_file(path, text, k_mode, Durability::durable);
}

} // namespace losos::zone_file
