// hub-routes.json: the domains the hub routes to this spoke's boxes. losos-uplink writes it; the
// operator reads it.
#pragma once

#include "base/file.h"
#include "core/relay_api.h"

#include <string>
#include <vector>

namespace losos::hub_routes_file {

/// Sorted by id, then domain, whatever the order here.
std::string render(std::vector<RelayRoute> routes);

Result<Change> store(const std::string& path, std::vector<RelayRoute> routes);

Result<Change> remove(const std::string& path);

} // namespace losos::hub_routes_file
