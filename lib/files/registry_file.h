// registry.json: who is registered on which port. The registrar writes it; the registrar and
// losos-edge read it. registry.json(5).
#pragma once

#include "base/file.h"
#include "core/registry.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::registry_file {

inline constexpr std::size_t k_limit = 64 * 1024 * 1024;

/// A registry read from disk, and a sentence for each entry that was not believed.
struct Loaded {
    Registry registry;
    std::vector<std::string> dropped;
};

/// Entries are validated against `range`, not trusted. Fails with a byte offset when the text is no
/// JSON, or "tenants", "compute_windows" or "resting" is no object.
Result<Loaded> parse(std::string_view text, const PortRange& range);

std::string render(const Registry& registry);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<Loaded>> load(const std::string& path, const PortRange& range);

Result<Change> store(const std::string& path, const Registry& registry);

/// The lock file the one registrar of this state directory holds.
std::string lock_path(const std::string& path);

} // namespace losos::registry_file
