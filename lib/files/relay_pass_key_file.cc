#include "files/relay_pass_key_file.h"

#include "base/crypto.h"
#include "files/document.h"

#include <utility>

namespace losos::relay_pass_key_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<std::optional<RelayPassKey>> load(const std::string& path) {
    TRY_ASSIGN(auto text, document::load_text(path, k_limit));
    if (!text) {
        return std::optional<RelayPassKey>();
    }
    auto key = RelayPassKey::parse(*text);
    wipe(*text);
    if (!key) {
        return document::unusable(path, key.error());
    }
    return std::optional(*std::move(key));
}

Result<Change> create(const std::string& path, const RelayPassKey& key) {
    auto text = key.reveal() + "\n";
    auto made = create_file(path, text, k_mode, Durability::durable);
    wipe(text);
    return made;
}

} // namespace losos::relay_pass_key_file
