#include "inputs.h"

#include "base/format.h"
#include "core/uplink_plan.h"
#include "files/live_file.h"
#include "files/noise_key_file.h"
#include "files/status_file.h"
#include "files/token_file.h"
#include "io/clock.h"

#include <utility>

namespace losos {

namespace {

Result<Token> load_token(const std::string& path, InputStamps& stamps) {
    stamps.note(path);
    auto token = token_file::load(path);
    if (!token) {
        return fail(Errc::unusable,
                    "{}; set the uplink again with \"losos-edge uplink set\", or mend the file",
                    token.error().what);
    }
    return token;
}

Result<NoiseKey> load_named_key(const std::string& path, InputStamps& stamps) {
    stamps.note(path);
    TRY_ASSIGN(auto key, noise_key_file::load(path));
    if (!key) {
        return fail(
            Errc::unusable,
            "the hub's Noise key is to be in {}, and no such file is there; put it back, or "
            "set the uplink again with \"losos-edge uplink set\"",
            path);
    }
    return *std::move(key);
}

std::optional<std::string> explain(LiveVerdict verdict, const UplinkOptions& options) {
    switch (verdict) {
    case LiveVerdict::fresh:
        return std::nullopt;
    case LiveVerdict::no_list:
        return format("{} is not there: the registrar has not started since this machine did",
                      options.live_file);
    case LiveVerdict::no_status:
        return format("{} is not there: nothing says that the registrar runs",
                      options.registrar_status());
    case LiveVerdict::other_boot:
        return format("{} is from before this machine started: the registrar has not run since",
                      options.registrar_status());
    case LiveVerdict::stale:
        break;
    }
    return format("{} is out of date: the registrar does not run or is stuck",
                  options.registrar_status());
}

} // namespace

Result<UplinkSecrets> load_secrets(const UplinkConfig& uplink, InputStamps& stamps) {
    TRY_ASSIGN(auto token, load_token(uplink.token_file, stamps));
    UplinkSecrets secrets{token, token, std::nullopt};
    if (uplink.bootstrap_token_file) {
        TRY_ASSIGN(secrets.bootstrap_token, load_token(*uplink.bootstrap_token_file, stamps));
    }
    if (uplink.noise_public_key_file) {
        TRY_ASSIGN(secrets.named_key, load_named_key(*uplink.noise_public_key_file, stamps));
    }
    return secrets;
}

Result<LiveInput> load_live(const UplinkOptions& options, InputStamps& stamps) {
    TRY_ASSIGN(const auto boot_id, read_boot_id());
    stamps.note(options.live_file);
    auto loaded_boxes = live_file::load(options.live_file);
    if (!loaded_boxes) {
        return fail(Errc::unusable, "{}; type \"systemctl restart losos-registrar\"",
                    loaded_boxes.error().what);
    }
    auto boxes = *std::move(loaded_boxes);
    const auto status_path = options.registrar_status();
    const auto status_stamp = stamp_file(status_path);
    // One that cannot be read vouches for nothing, which is all that matters here.
    const auto loaded = status_file::load_pulse(status_path);
    const auto pulse = loaded ? *loaded : std::nullopt;
    LiveInput input;
    const auto verdict = judge_live_list(boxes.has_value(), pulse, boot_id, monotonic_now());
    input.held_back = verdict == LiveVerdict::no_status && !loaded
                          ? format("{}: nothing says that the registrar runs", loaded.error().what)
                          : explain(verdict, options);
    if (input.held_back) {
        // The registrar renews its status all the time; only now does it matter that it did.
        stamps.note(status_path, status_stamp);
        return input;
    }
    input.boxes = *std::move(boxes);
    return input;
}

} // namespace losos
