// losos-edge.service: the advert of an edge on its LAN. The registrar writes it with
// --lan-advertise and removes it at a clean stop; Avahi reads it.
#pragma once

#include "base/file.h"
#include "core/lan_advert.h"

#include <string>

namespace losos::lan_advert_file {

Result<Change> store(const std::string& path, const LanAdvert& advert);

Result<Change> remove(const std::string& path);

} // namespace losos::lan_advert_file
