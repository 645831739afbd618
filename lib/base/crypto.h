// The one place that touches libsodium: random bytes, digests, codes, comparison in constant time,
// base64, X25519 keys, Ed25519 signatures, and text that is wiped when it goes.
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace losos {

/// 32 bytes of BLAKE2b over a text.
using Digest = std::array<unsigned char, 32>;

/// The digest of `text`.
Digest digest_of(std::string_view text);

/// The 32 bytes of SHA-256 over a text, where somebody outside fixed the digest.
std::string sha256_of(std::string_view text);

/// HMAC-SHA256 of a text under a key of any length.
using Mac = std::array<unsigned char, 32>;
Mac hmac_sha256(std::string_view key, std::string_view text);

/// Whether two digests or two codes are equal, in constant time.
bool equal_in_constant_time(const Digest& a, const Digest& b);

/// `count` bytes from the kernel's generator.
std::string random_bytes(std::size_t count);

/// A number in [0, bound), without bias; `bound` is greater than zero.
std::uint32_t random_below(std::uint32_t bound);

/// The bytes in standard base64 with padding.
std::string base64_encode(std::string_view bytes);

/// The bytes of a standard base64 text; fails on anything else.
Result<std::string> base64_decode(std::string_view text);

/// A fresh X25519 private key, 32 bytes.
std::string make_x25519_private_key();

/// The X25519 public key of a private one; fails unless it is 32 bytes.
Result<std::string> x25519_public_key(std::string_view private_key);

/// Whether an X25519 key of 32 bytes is zero or one of the few others with which every secret comes
/// out the same, whoever is at the other end.
bool x25519_is_weak(std::string_view key);

/// A fresh Ed25519 private key: a seed of 32 bytes.
std::string make_ed25519_seed();

/// The Ed25519 public key of a seed; fails unless it is 32 bytes.
Result<std::string> ed25519_public_key(std::string_view seed);

/// The signature of a text, 64 bytes; fails unless the seed is 32.
Result<std::string> ed25519_sign(std::string_view seed, std::string_view text);

/// Whether the key's owner signed the text. A key or signature of another length signs nothing.
bool ed25519_verify(std::string_view public_key, std::string_view text, std::string_view signature);

/// Whether 32 bytes are an Ed25519 key that somebody can own; with the few others, or with what is
/// no point of the curve, a signature proves nothing.
bool ed25519_is_key(std::string_view public_key);

/// Overwrites the text's bytes so that the compiler cannot leave it out, and empties it.
void wipe(std::string& text);

/// Overwrites bytes that belong to somebody else, like wipe().
void wipe_bytes(void* bytes, std::size_t count);

} // namespace losos
