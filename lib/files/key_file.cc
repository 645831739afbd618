#include "files/key_file.h"

#include "base/format.h"

namespace losos::key_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<void> check_private_name(const std::string& path) {
    if (path.ends_with(".pub")) {
        return fail(Errc::unusable,
                    "{} is the name of a public key; name the private one, without .pub", path);
    }
    return {};
}

Result<Change> create(const std::string& path, std::string key) {
    key += '\n';
    auto made = create_file(path, key, k_mode, Durability::durable);
    wipe(key);
    return made;
}

} // namespace losos::key_file
