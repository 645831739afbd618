// What runs once before an edge's first start: `seed` and `noise keygen`.
#pragma once

#include "serve_options.h"

namespace losos {

/// Writes server.toml without services; leaves a file that is there alone.
Result<void> seed(const RatholeOptions& options);

/// Makes the Noise key pair; leaves a private key that is there alone and puts its public half
/// right.
Result<void> noise_keygen(const std::string& private_key_file);

} // namespace losos
