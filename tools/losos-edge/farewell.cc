#include "farewell.h"

#include "edge_client.h"

#include "base/log.h"
#include "core/relay_api.h"
#include "files/hub_noise_file.h"
#include "files/rathole_client_file.h"
#include "files/token_file.h"

namespace losos {

namespace {

constexpr const char* k_relay = "/relay";
constexpr Duration k_patience{5000};

Result<void> post_empty_list(const UplinkConfig& uplink) {
    TRY_ASSIGN(const auto token, token_file::load(uplink.token_file));
    const RelayCall call{uplink.id.text(), token.reveal(), {}};
    TRY_ASSIGN(const auto answer, tell_edge(uplink.registrar_url, k_relay, render_relay_call(call),
                                            token, k_patience));
    if (classify_status(answer.status) != AnswerKind::good) {
        return unwelcome_answer(uplink.registrar_url, k_relay, answer);
    }
    return {};
}

} // namespace

HubTold tell_hub_goodbye(const UplinkConfig& uplink) {
    const auto told = post_empty_list(uplink);
    if (told) {
        return HubTold::told;
    }
    log(LogLevel::warning,
        "the hub could not be told that {} leaves, so its routes end there only when it has not "
        "heard of {} for a while: {}",
        uplink.id.text(), uplink.id.text(), told.error().what);
    return HubTold::not_told;
}

Result<void> remove_uplink_files(const EdgeFiles& files) {
    // uplink.json first: cut in between, what is left belongs to no uplink and the next pass of
    // losos-uplink takes the tunnels away.
    TRY(uplink_file::remove(files.uplink()));
    TRY(rathole_client_file::remove(files.rathole_uplink, Durability::durable));
    TRY(token_file::remove(files.uplink_token()));
    TRY(token_file::remove(files.uplink_bootstrap_token()));
    TRY(hub_noise_file::remove(files.hub_noise_pub()));
    return {};
}

Result<std::optional<Farewell>> end_uplink(const EdgeFiles& files,
                                           const std::optional<UplinkConfig>& uplink) {
    std::optional<Farewell> farewell;
    if (uplink) {
        farewell = Farewell{*uplink, tell_hub_goodbye(*uplink)};
    }
    TRY(remove_uplink_files(files));
    return farewell;
}

} // namespace losos
