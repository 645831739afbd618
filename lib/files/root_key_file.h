// The public key of the root that signs certificates: one line of 64 hex digits. `losos-registrar
// identity keygen --root` writes it; a box and `identity verify` read it.
#pragma once

#include "base/file.h"
#include "core/identity_key.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos::root_key_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// Fails on an empty text and on one with more than one key: nothing is official by it.
Result<IdentityPublicKey> parse(std::string_view text);

std::string render(const IdentityPublicKey& key);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<IdentityPublicKey>> load(const std::string& path);

Result<Change> store(const std::string& path, const IdentityPublicKey& key);

/// Where the public key of a root pair goes: the private one's name + `.pub`.
std::string public_path(const std::string& private_path);

} // namespace losos::root_key_file
