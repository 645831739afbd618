#include "base/crypto.h"

#include "base/format.h"

#include <sodium.h>

#include <algorithm>
#include <cstdlib>

namespace losos {
namespace {

// sodium_init fails only where the kernel has no random source; nothing may go on without one.
void need_sodium() {
    static const bool ready = sodium_init() >= 0;
    if (!ready) {
        std::abort();
    }
}

unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

struct Ed25519Pair {
    std::string public_key;
    std::string secret_key;
};

Result<Ed25519Pair> ed25519_pair(std::string_view seed) {
    need_sodium();
    if (seed.size() != crypto_sign_SEEDBYTES) {
        return fail(Errc::failed, "an Ed25519 seed has {} bytes, not {}", crypto_sign_SEEDBYTES,
                    seed.size());
    }
    Ed25519Pair pair{std::string(crypto_sign_PUBLICKEYBYTES, '\0'),
                     std::string(crypto_sign_SECRETKEYBYTES, '\0')};
    if (crypto_sign_seed_keypair(bytes_of(pair.public_key), bytes_of(pair.secret_key),
                                 bytes_of(seed)) != 0) {
        return fail(Errc::failed, "the Ed25519 seed has no public key");
    }
    return pair;
}

} // namespace

Digest digest_of(std::string_view text) {
    need_sodium();
    Digest digest{};
    crypto_generichash(digest.data(), digest.size(), bytes_of(text), text.size(), nullptr, 0);
    return digest;
}

std::string sha256_of(std::string_view text) {
    need_sodium();
    std::string digest(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256(bytes_of(digest), bytes_of(text), text.size());
    return digest;
}

Mac hmac_sha256(std::string_view key, std::string_view text) {
    need_sodium();
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, bytes_of(text), text.size());
    Mac mac{};
    crypto_auth_hmacsha256_final(&state, mac.data());
    sodium_memzero(&state, sizeof state);
    return mac;
}

bool equal_in_constant_time(const Digest& a, const Digest& b) {
    return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_bytes(std::size_t count) {
    need_sodium();
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    return bytes;
}

std::uint32_t random_below(std::uint32_t bound) {
    need_sodium();
    return randombytes_uniform(bound);
}

std::string base64_encode(std::string_view bytes) {
    need_sodium();
    constexpr int variant = sodium_base64_VARIANT_ORIGINAL;
    std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), variant);
    text.pop_back(); // the length counts the closing NUL
    return text;
}

Result<std::string> base64_decode(std::string_view text) {
    need_sodium();
    // libsodium takes bytes beyond ASCII for digits.
    const auto is_ascii = [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    };
    if (!std::all_of(text.begin(), text.end(), is_ascii)) {
        return fail(Errc::failed, "the text is not base64");
    }
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    std::size_t length = 0;
    const char* end = nullptr;
    const int status = sodium_base642bin(bytes_of(bytes), bytes.size(), text.data(), text.size(),
                                         nullptr, &length, &end, sodium_base64_VARIANT_ORIGINAL);
    if (status != 0 || end != text.data() + text.size()) {
        wipe(bytes);
        return fail(Errc::failed, "the text is not base64");
    }
    bytes.resize(length);
    return bytes;
}

std::string make_x25519_private_key() {
    return random_bytes(crypto_scalarmult_SCALARBYTES);
}

Result<std::string> x25519_public_key(std::string_view private_key) {
    need_sodium();
    if (private_key.size() != crypto_scalarmult_SCALARBYTES) {
        return fail(Errc::failed, "an X25519 private key has {} bytes, not {}",
                    crypto_scalarmult_SCALARBYTES, private_key.size());
    }
    std::string key(crypto_scalarmult_BYTES, '\0');
    if (crypto_scalarmult_base(bytes_of(key), bytes_of(private_key)) != 0) {
        return fail(Errc::failed, "the X25519 private key has no public key");
    }
    return key;
}

bool x25519_is_weak(std::string_view key) {
    need_sodium();
    std::array<unsigned char, crypto_scalarmult_SCALARBYTES> any{};
    any.fill(1);
    std::array<unsigned char, crypto_scalarmult_BYTES> shared{};
    return key.size() != shared.size() ||
           crypto_scalarmult(shared.data(), any.data(), bytes_of(key)) != 0;
}

std::string make_ed25519_seed() {
    return random_bytes(crypto_sign_SEEDBYTES);
}

Result<std::string> ed25519_public_key(std::string_view seed) {
    TRY_ASSIGN(auto pair, ed25519_pair(seed));
    wipe(pair.secret_key);
    return std::move(pair.public_key);
}

Result<std::string> ed25519_sign(std::string_view seed, std::string_view text) {
    TRY_ASSIGN(auto pair, ed25519_pair(seed));
    std::string signature(crypto_sign_BYTES, '\0');
    const int status = crypto_sign_detached(bytes_of(signature), nullptr, bytes_of(text),
                                            text.size(), bytes_of(pair.secret_key));
    wipe(pair.secret_key);
    if (status != 0) {
        return fail(Errc::failed, "the Ed25519 key signs nothing");
    }
    return signature;
}

bool ed25519_verify(std::string_view public_key, std::string_view text,
                    std::string_view signature) {
    need_sodium();
    return public_key.size() == crypto_sign_PUBLICKEYBYTES &&
           signature.size() == crypto_sign_BYTES &&
           crypto_sign_verify_detached(bytes_of(signature), bytes_of(text), text.size(),
                                       bytes_of(public_key)) == 0;
}

bool ed25519_is_key(std::string_view public_key) {
    need_sodium();
    return public_key.size() == crypto_sign_PUBLICKEYBYTES &&
           crypto_core_ed25519_is_valid_point(bytes_of(public_key)) == 1;
}

void wipe(std::string& text) {
    // Growing to the capacity moves nothing, and reaches what an earlier, longer text left behind.
    text.resize(text.capacity());
    sodium_memzero(text.data(), text.size());
    text.clear();
}

void wipe_bytes(void* bytes, std::size_t count) {
    sodium_memzero(bytes, count);
}

} // namespace losos
