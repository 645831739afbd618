#include "files/identity_key_file.h"

#include "files/key_file.h"

namespace losos::identity_key_file {

Result<std::optional<IdentityKey>> load(const std::string& path) {
    TRY(key_file::check_private_name(path));
    return key_file::load<IdentityKey>(path, k_limit);
}

Result<Change> create(const std::string& path, const IdentityKey& key) {
    TRY(key_file::check_private_name(path));
    return key_file::create(path, key.reveal());
}

} // namespace losos::identity_key_file
