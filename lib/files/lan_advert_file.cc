#include "files/lan_advert_file.h"

namespace losos::lan_advert_file {
namespace {

constexpr mode_t k_mode = 0644;

} // namespace

Result<Change> store(const std::string& path, const LanAdvert& advert) {
    // Avahi takes a version of the same second for the one it knows, and goes on with that.
    return replace_file(path, render_lan_advert(advert), k_mode, Durability::durable,
                        Dating::apart);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::durable);
}

} // namespace losos::lan_advert_file
