// compute-windows.json: when the members of the mesh lend their processors, and who is idle. The
// registrar writes it, the timer that taints nodes reads it.
#pragma once

#include "base/file.h"
#include "core/compute_nodes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::compute_windows_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

Result<std::vector<ComputeNode>> parse(std::string_view text);

/// The nodes in the order of their names, whatever their order here.
std::string render(std::vector<ComputeNode> nodes);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<std::vector<ComputeNode>>> load(const std::string& path);

Result<Change> store(const std::string& path, const std::vector<ComputeNode>& nodes);

} // namespace losos::compute_windows_file
