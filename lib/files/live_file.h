// live.json: the boxes that are live on this edge by their own registration, listed ones first,
// never relayed ones. The registrar writes it and takes the passes from it at its start;
// losos-uplink reads it.
#pragma once

#include "base/file.h"
#include "core/live_box.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::live_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// The boxes in the order of the file. A pass of another shape counts as none; anything else that
/// is odd fails with its byte offset.
Result<std::vector<LiveBox>> parse(std::string_view text);

/// In the order given.
std::string render(const std::vector<LiveBox>& boxes);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<std::vector<LiveBox>>> load(const std::string& path);

Result<Change> store(const std::string& path, const std::vector<LiveBox>& boxes);

} // namespace losos::live_file
