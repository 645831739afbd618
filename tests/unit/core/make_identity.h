// Keys and certificates in tests: the key pairs of RFC 8032's first two examples, as the root's and
// as an edge's.
#pragma once

#include "core/identity_api.h"

#include "unit/core/make.h"

#include <string>
#include <string_view>

namespace losos::make {

inline constexpr std::string_view k_root_seed =
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
inline constexpr std::string_view k_root_public =
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
inline constexpr std::string_view k_edge_seed =
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
inline constexpr std::string_view k_edge_public =
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

inline IdentityKey root_key() {
    return sound(IdentityKey::parse(k_root_seed));
}

inline IdentityKey edge_key() {
    return sound(IdentityKey::parse(k_edge_seed));
}

inline IdentityNonce nonce(std::string_view text = "00112233445566778899aabbccddeeff") {
    return sound(IdentityNonce::parse(text));
}

/// The edge's certificate for https://edge.losos.example, good until 2027-01-15, by that root.
inline IdentityCertificate certificate(const IdentityKey& root = root_key()) {
    return sound(sign_certificate(root, sound(IdentityName::parse("LosOS Z\xc3\xbcrich")),
                                  sound(HttpUrl::parse("https://edge.losos.example")),
                                  edge_key().public_key(), UnixTime(1'800'000'000)));
}

/// What that edge answers to a nonce.
inline IdentityAnswer identity_answer(const IdentityNonce& asked = nonce()) {
    return {certificate(), sound(edge_key().sign(nonce_text(asked)))};
}

} // namespace losos::make
