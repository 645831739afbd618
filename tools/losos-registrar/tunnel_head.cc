#include "tunnel_head.h"

#include "base/crypto.h"
#include "base/format.h"
#include "files/noise_key_file.h"
#include "files/token_file.h"

namespace losos {

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
        TRY_ASSIGN(head.noise_private_key, noise_key_file::load(*options.noise_private_key_file));
        if (!head.noise_private_key) {
            return fail(Errc::unusable,
                        "{} is missing; make it with losos-registrar noise keygen "
                        "--noise-private-key-file {}",
                        *options.noise_private_key_file, *options.noise_private_key_file);
        }
    }
    return head;
}

Result<std::optional<NoiseKey>> read_noise_public_key(const ServeOptions& options) {
    const auto& private_file = options.rathole.noise_private_key_file;
    if (!private_file) {
        return std::optional<NoiseKey>();
    }
    TRY_ASSIGN(const auto private_key, noise_key_file::load(*private_file));
    if (!private_key) {
        return fail(Errc::unusable, "{} is missing", *private_file);
    }
    TRY_ASSIGN(auto seed, base64_decode(private_key->text()));
    TRY_ASSIGN(const auto public_bytes, x25519_public_key(seed));
    wipe(seed);
    TRY_ASSIGN(const auto derived, NoiseKey::parse(base64_encode(public_bytes)));

    const auto public_file =
        options.noise_public_key_file.value_or(noise_key_file::public_path(*private_file));
    TRY_ASSIGN(const auto stored, noise_key_file::load(public_file));
    if (stored && *stored != derived) {
        return fail(Errc::unusable,
                    "{} does not belong to {}; losos-registrar noise keygen "
                    "--noise-private-key-file {} writes the right one",
                    public_file, *private_file, *private_file);
    }
    return std::optional(derived);
}

} // namespace losos
