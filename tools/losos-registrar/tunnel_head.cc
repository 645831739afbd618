#include "tunnel_head.h"

#include "base/crypto.h"
#include "base/format.h"
#include "files/document.h"
#include "files/noise_key_file.h"
#include "files/token_file.h"

namespace losos {

namespace {

Result<NoiseKey> load_private_key(const std::string& path) {
    return document::existing(
        noise_key_file::load_private(path), path,
        format("make it with losos-registrar noise keygen --noise-private-key-file {}", path));
}

} // namespace

Result<RatholeServerHead> read_tunnel_head(const RatholeOptions& options) {
    RatholeServerHead head{{*options.bind_address, *options.bind_port}, std::nullopt, std::nullopt};
    if (options.bootstrap_token_file) {
        auto token = token_file::load(*options.bootstrap_token_file);
        if (!token) {
            return Error{Errc::unusable, std::move(token).error().what};
        }
        head.bootstrap_token = *std::move(token);
    }
    if (options.noise_private_key_file) {
        TRY_ASSIGN(head.noise_private_key, load_private_key(*options.noise_private_key_file));
    }
    return head;
}

Result<NoiseKey> derive_public_key(const NoiseKey& private_key) {
    TRY_ASSIGN(auto secret, base64_decode(private_key.text()));
    const auto public_bytes = x25519_public_key(secret);
    wipe(secret);
    TRY_ASSIGN(const auto bytes, public_bytes);
    return NoiseKey::parse(base64_encode(bytes));
}

Result<std::optional<NoiseKey>> noise_public_key_of(const RatholeServerHead& head) {
    if (!head.noise_private_key) {
        return std::optional<NoiseKey>();
    }
    TRY_ASSIGN(auto key, derive_public_key(*head.noise_private_key));
    return std::optional(std::move(key));
}

Result<std::optional<NoiseKey>> read_noise_public_key(const ServeOptions& options) {
    const auto& private_file = options.rathole.noise_private_key_file;
    if (!private_file) {
        return std::optional<NoiseKey>();
    }
    TRY_ASSIGN(const auto private_key, load_private_key(*private_file));
    TRY_ASSIGN(auto derived, derive_public_key(private_key));
    const auto public_file =
        options.noise_public_key_file.value_or(noise_key_file::public_path(*private_file));
    TRY_ASSIGN(const auto stored, noise_key_file::load(public_file));
    if (stored && *stored != derived) {
        return fail(Errc::unusable,
                    "{} does not belong to {}; losos-registrar noise keygen "
                    "--noise-private-key-file {} writes the right one",
                    public_file, *private_file, *private_file);
    }
    return std::optional(std::move(derived));
}

} // namespace losos
