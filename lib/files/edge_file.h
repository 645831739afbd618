// edge.json: what a box says of its edges, and the answer of GET /api/edge. lososd-pathd writes it;
// anyone reads it.
#pragma once

#include "base/file.h"
#include "core/edge_document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos::edge_file {

inline constexpr std::size_t k_limit = 1024 * 1024;

/// What to do about one that cannot be used.
inline constexpr std::string_view k_remedy =
    "lososd-pathd writes it anew: type \"systemctl restart lososd-pathd\"";

/// Fails with a byte offset. What another version of lososd-pathd leaves out is as if empty.
Result<EdgeDocument> parse(std::string_view text);

std::string render(const EdgeDocument& document);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<EdgeDocument>> load(const std::string& path);

Result<Change> store(const std::string& path, const EdgeDocument& document);

} // namespace losos::edge_file
