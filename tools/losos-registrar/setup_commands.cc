#include "setup_commands.h"

#include "tunnel_head.h"

#include "base/crypto.h"
#include "base/format.h"
#include "files/noise_key_file.h"
#include "files/rathole_server_file.h"

namespace losos {

Result<void> seed(const RatholeOptions& options) {
    if (!options.config) {
        return fail(Errc::usage, "--rathole-config is missing: seed writes that file");
    }
    TRY_ASSIGN(const auto head, read_tunnel_head(options));
    TRY_ASSIGN(const auto present, rathole_server_file::load(*options.config));
    if (present && !present->empty()) {
        return {};
    }
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(*options.config));
    const auto text = render_rathole_server(head, {});
    // Nothing is lost with an empty file, and rathole does not start on one.
    TRY_ASSIGN([[maybe_unused]] const auto change,
               present ? rathole_server_file::store(*options.config, text)
                       : rathole_server_file::create(*options.config, text));
    return {};
}

Result<void> noise_keygen(const std::string& private_key_file) {
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(private_key_file));
    remove_leftovers(noise_key_file::public_path(private_key_file));
    auto secret = make_x25519_private_key();
    TRY_ASSIGN(const auto fresh, NoiseKey::parse(base64_encode(secret)));
    wipe(secret);
    TRY_ASSIGN([[maybe_unused]] const auto made,
               noise_key_file::create_private(private_key_file, fresh));

    TRY_ASSIGN(const auto stored, noise_key_file::load_private(private_key_file));
    if (!stored) {
        return fail(Errc::failed, "{} vanished while it was being made", private_key_file);
    }
    TRY_ASSIGN(const auto public_key, derive_public_key(*stored));
    TRY_ASSIGN(
        [[maybe_unused]] const auto change,
        noise_key_file::store_public(noise_key_file::public_path(private_key_file), public_key));
    return {};
}

} // namespace losos
