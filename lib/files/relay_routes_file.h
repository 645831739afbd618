// relay-routes.json: which gateway holds which box, and the names that are routed through it. The
// registrar writes it and reads back the bindings; the operator reads all of it.
#pragma once

#include "base/file.h"
#include "core/relay_bindings.h"
#include "core/route_plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::relay_routes_file {

inline constexpr std::size_t k_limit = 64 * 1024 * 1024;

/// The bindings a file holds, and a sentence for each that was not believed.
struct Loaded {
    Bindings bindings;
    std::vector<std::string> dropped;
};

/// The routes are not looked at. Fails with a byte offset when the text is no JSON or "bindings" is
/// no object.
Result<Loaded> parse(std::string_view text);

/// Bindings by box, routes by domain.
std::string render(const Bindings& bindings, const std::vector<DomainRoute>& routes);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<Loaded>> load(const std::string& path);

Result<Change> store(const std::string& path, const Bindings& bindings,
                     const std::vector<DomainRoute>& routes);

} // namespace losos::relay_routes_file
