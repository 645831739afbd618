// hub-routes.json: the domains the hub routes to this spoke's boxes. losos-uplink writes it, and
// reads what it wrote to say what is new; the operator reads it.
#pragma once

#include "base/file.h"
#include "core/relay_api.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::hub_routes_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// Sorted like the text. Fails with a byte offset.
Result<std::vector<RelayRoute>> parse(std::string_view text);

/// Sorted by id, then domain, whatever the order here; a route that stands twice is one.
std::string render(std::vector<RelayRoute> routes);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<std::vector<RelayRoute>>> load(const std::string& path);

Result<Change> store(const std::string& path, std::vector<RelayRoute> routes);

Result<Change> remove(const std::string& path);

} // namespace losos::hub_routes_file
