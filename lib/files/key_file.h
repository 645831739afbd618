// What all files with one private key have in common: read whole and wiped, made once, 0600.
#pragma once

#include "base/crypto.h"
#include "base/file.h"
#include "base/result.h"
#include "files/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace losos::key_file {

/// Fails (Errc::unusable) when a private key's file is named like one of a public key: what looks
/// the same inside would be taken for it.
Result<void> check_private_name(const std::string& path);

/// Loaded, absent (nullopt), or Errc::unusable. Never says the content.
template <class Key>
Result<std::optional<Key>> load(const std::string& path, std::size_t limit) {
    TRY_ASSIGN(auto text, document::load_text(path, limit));
    if (!text) {
        return std::optional<Key>();
    }
    auto key = Key::parse(*text);
    wipe(*text);
    if (!key) {
        return document::unusable(path, key.error());
    }
    return std::optional(*std::move(key));
}

/// A line with the key, which is wiped here. Never overwrites a file: `unchanged` when one is
/// there.
Result<Change> create(const std::string& path, std::string key);

} // namespace losos::key_file
