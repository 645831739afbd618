#include "files/relay_pass_file.h"

#include "files/one_line.h"

namespace losos::relay_pass_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<std::optional<RelayPass>> load(const std::string& path) {
    return one_line::load<RelayPass>(path, k_limit, RelayPass::parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const RelayPass& pass) {
    return replace_file(path, pass.text() + "\n", k_mode, Durability::until_reboot);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::until_reboot);
}

} // namespace losos::relay_pass_file
