// refused.json: the edges that refused a box, so that it does not go back to them at once.
// losos-announce writes it; losos-announce and lososd-pathd read it.
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

/// One edge's refusal.
struct Refusal {
    HttpUrl url;
    /// The HTTP status it answered with.
    int status = 0;
    UnixTime at{0};
    friend bool operator==(const Refusal&, const Refusal&) = default;
};

} // namespace losos

namespace losos::refused_file {

inline constexpr std::size_t k_limit = 1024 * 1024;

/// The refusals sorted by URL. Fails with a sentence that names the field and its byte offset.
Result<std::vector<Refusal>> parse(std::string_view text);

/// Sorted by URL, whatever the order here; of two for one URL the later one.
std::string render(std::vector<Refusal> refusals);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<std::vector<Refusal>>> load(const std::string& path);

Result<Change> store(const std::string& path, std::vector<Refusal> refusals);

} // namespace losos::refused_file
