// The head of rathole's server configuration, from the flags and the secrets they name. `seed`,
// `check` and `serve` share it, so that all three write the same bytes.
#pragma once

#include "serve_options.h"

#include "core/rathole_config.h"

namespace losos {

/// Reads the bootstrap token and the Noise key. Errc::unusable when a file that is named is missing
/// or faulty.
Result<RatholeServerHead> read_tunnel_head(const RatholeOptions& options);

/// The public half of a private Noise key.
Result<NoiseKey> derive_public_key(const NoiseKey& private_key);

/// The public half of a head's Noise key; nullopt when Noise is off.
Result<std::optional<NoiseKey>> noise_public_key_of(const RatholeServerHead& head);

/// The public half of the edge's Noise key; nullopt when Noise is off. Fails when the file named
/// for it holds another key than the private one makes.
Result<std::optional<NoiseKey>> read_noise_public_key(const ServeOptions& options);

} // namespace losos
