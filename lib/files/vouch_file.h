// The vouch file: for which boxes somebody vouches. The market or `losos-registrar vouch` writes
// it, the registrar reads it; both writers hold the lock on its directory. losos-custom-domains(7).
#pragma once

#include "base/file.h"
#include "core/vouching.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos::vouch_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// A row that is not sound is listed as faulty and the others go on. Fails with a byte offset when
/// the text is no JSON or "sellers" is no object.
Result<VouchList> parse(std::string_view text);

/// The sellers; faulty rows have no place in it.
std::string render(const VouchList& list);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<VouchList>> load(const std::string& path);

Result<Change> store(const std::string& path, const VouchList& list);

} // namespace losos::vouch_file
