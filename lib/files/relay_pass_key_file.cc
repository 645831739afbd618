#include "files/relay_pass_key_file.h"

#include "files/key_file.h"

namespace losos::relay_pass_key_file {

Result<std::optional<RelayPassKey>> load(const std::string& path) {
    return key_file::load<RelayPassKey>(path, k_limit);
}

Result<Change> create(const std::string& path, const RelayPassKey& key) {
    return key_file::create(path, key.reveal());
}

} // namespace losos::relay_pass_key_file
