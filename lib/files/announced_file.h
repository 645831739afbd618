// announced.json: the edge a box last registered with. losos-announce writes and reads it, so that
// it can deregister there once it is registered elsewhere.
#pragma once

#include "base/duration.h"
#include "base/file.h"
#include "core/network.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// Where a box is registered, since when, and which other edges may have it: those before, which
/// have yet to hear that it left, and one that it asked and whose answer it has not seen.
struct Announced {
    /// nullopt before the first registration.
    std::optional<HttpUrl> url;
    UnixTime at{0};
    std::vector<HttpUrl> leaving = {};
    friend bool operator==(const Announced&, const Announced&) = default;
};

} // namespace losos

namespace losos::announced_file {

inline constexpr std::size_t k_limit = 64 * 1024;

/// Fails with a sentence that names the field and its byte offset.
Result<Announced> parse(std::string_view text);

std::string render(const Announced& announced);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<Announced>> load(const std::string& path);

Result<Change> store(const std::string& path, const Announced& announced);

Result<Change> remove(const std::string& path);

} // namespace losos::announced_file
