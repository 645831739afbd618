#include "files/root_key_file.h"

#include "core/ascii.h"
#include "files/document.h"

namespace losos::root_key_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<IdentityPublicKey> parse(std::string_view text) {
    const auto key = trim_ascii(text);
    if (key.empty()) {
        return Error{Errc::failed, "it is empty, and a root key is one line of 64 hex digits"};
    }
    if (key.find('\n') != std::string_view::npos) {
        return Error{Errc::failed, "it has more than one line, and there is only one root key"};
    }
    return IdentityPublicKey::parse(key);
}

std::string render(const IdentityPublicKey& key) {
    return key.text() + "\n";
}

Result<std::optional<IdentityPublicKey>> load(const std::string& path) {
    return document::load<IdentityPublicKey>(path, k_limit, parse);
}

Result<Change> store(const std::string& path, const IdentityPublicKey& key) {
    return replace_file(path, render(key), k_mode, Durability::durable);
}

std::string public_path(const std::string& private_path) {
    return private_path + ".pub";
}

} // namespace losos::root_key_file
