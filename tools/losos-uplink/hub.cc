#include "hub.h"

#include "edge_client.h"

#include "base/format.h"
#include "base/log.h"
#include "files/hub_noise_file.h"

#include <utility>

namespace losos {

namespace {

constexpr const char* k_relay = "/relay";

/// The pin, unless it belongs to another hub.
Result<std::optional<NoiseKey>> load_pin(const UplinkOptions& options, const UplinkConfig& uplink,
                                         const UplinkSecrets& secrets) {
    if (secrets.named_key) {
        return secrets.named_key;
    }
    TRY_ASSIGN(auto pin, hub_noise_file::load(options.hub_noise_file));
    if (!pin || pin->registrar_url != uplink.registrar_url) {
        return std::optional<NoiseKey>();
    }
    return std::optional(std::move(pin->key));
}

Error changed_key(const UplinkOptions& options, const UplinkConfig& uplink) {
    const auto hub = uplink.registrar_url.text();
    if (uplink.noise_public_key_file) {
        return fail(
            Errc::failed,
            "the Noise key of the hub {} has changed: it is not the one in {}; if the hub's "
            "operator confirms the new key, put it there and set the uplink again with "
            "\"losos-edge uplink set\", and if not, somebody else answers for the hub",
            hub, *uplink.noise_public_key_file);
    }
    return fail(Errc::failed,
                "the Noise key of the hub {} has changed: it is not the one pinned in {}; if the "
                "hub's operator confirms that, accept the new key with \"losos-edge uplink clear\" "
                "and \"losos-edge uplink set\", and if not, somebody else answers for the hub",
                hub, options.hub_noise_file);
}

/// What to do about a refusal, to follow the hub's own words.
const char* advice_for(int status) {
    switch (status) {
    case 401:
        return "; ask the hub's operator for this gateway's id and token, and set them with "
               "\"losos-edge uplink set\"";
    case 403:
        return "; ask the hub's operator to give this gateway a relay zone";
    default:
        return "";
    }
}

/// A hub that does not answer now may do so later; nothing is to be done at once.
Error with_outlook(Error error) {
    if (error.code == Errc::no_answer) {
        error.what += "; the next pass tries again";
    }
    return error;
}

RelayCall call_of(const UplinkConfig& uplink, const Token& token,
                  const std::vector<LiveBox>& boxes) {
    RelayCall call{uplink.id.text(), token.reveal(), {}};
    for (const auto& box : boxes) {
        call.tenants.push_back({box.id.text(), box.hostname.text(), box.pass});
    }
    return call;
}

} // namespace

Result<HubKey> settle_hub_key(const UplinkOptions& options, const UplinkConfig& uplink,
                              const UplinkSecrets& secrets) {
    TRY_ASSIGN(const auto pin, load_pin(options, uplink, secrets));
    auto finding = ask_noise_key(uplink.registrar_url, pin, options.timeout);
    HubKey result{std::move(finding.judgement.key), std::nullopt};
    switch (finding.judgement.verdict) {
    case NoiseVerdict::same:
    case NoiseVerdict::plain:
        return result;
    case NoiseVerdict::pin_now:
        TRY(hub_noise_file::store(options.hub_noise_file, {*result.key, uplink.registrar_url}));
        log(LogLevel::notice, "pinned the Noise key of the hub {} in {}",
            uplink.registrar_url.text(), options.hub_noise_file);
        return result;
    case NoiseVerdict::changed:
        result.fault = changed_key(options, uplink);
        return result;
    case NoiseVerdict::no_answer:
        break;
    }
    result.fault =
        with_outlook(fail(Errc::no_answer, "{}{}", finding.cause,
                          pin ? "" : "; there is no tunnel without the hub's Noise key"));
    return result;
}

Result<RelayAnswer> relay_to_hub(const UplinkConfig& uplink, const Token& token,
                                 const std::vector<LiveBox>& boxes, Duration timeout) {
    const auto answer = tell_edge(uplink.registrar_url, k_relay,
                                  render_relay_call(call_of(uplink, token, boxes)), token, timeout);
    if (!answer) {
        return with_outlook(answer.error());
    }
    if (answer->status != 200) {
        auto error =
            unwelcome_answer(uplink.registrar_url, k_relay, *answer, "an edge says 200 there");
        error.what += advice_for(answer->status);
        return with_outlook(std::move(error));
    }
    auto said = parse_relay_answer(answer->body);
    if (!said) {
        return with_outlook(
            unwelcome_answer(uplink.registrar_url, k_relay, *answer, said.error().what));
    }
    // What it says here is written where anybody may read it.
    for (RefusedBox& refused : said->refused) {
        refused.id = without_secret(std::move(refused.id), token);
        refused.reason = without_secret(std::move(refused.reason), token);
    }
    std::erase_if(said->routes, [&token](const RelayRoute& route) {
        return without_secret(route.domain + route.id, token) != route.domain + route.id;
    });
    return said;
}

} // namespace losos
