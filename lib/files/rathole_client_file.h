// uplink.toml of a spoke and client.toml of a box: the tunnels that go out. losos-uplink writes the
// first, and losos-edge removes it with the uplink; `lososd-pathd client-config` writes the second.
// rathole reads them.
#pragma once

#include "base/file.h"
#include "core/names.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace losos::rathole_client_file {

inline constexpr std::size_t k_limit = 1024 * 1024;

/// Keeps other runs of the same writer out of the directory, which is made (0700) when missing, and
/// removes what an interrupted one left.
Result<FileLock> lock(const std::string& path);

/// The services of the file that is there; nullopt when none is. Errc::unusable when it is not one
/// of ours.
Result<std::optional<std::vector<RowId>>> load_services(const std::string& path);

/// The whole text of the file that is there; nullopt when none is.
Result<std::optional<std::string>> load(const std::string& path);

/// Writes what render_rathole_client made. Makes the directory (0700) when it is missing.
Result<Change> store(const std::string& path, const std::string& text, Durability durability);

Result<Change> remove(const std::string& path, Durability durability);

} // namespace losos::rathole_client_file
