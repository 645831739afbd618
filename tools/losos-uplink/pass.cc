#include "pass.h"

#include "hub.h"
#include "inputs.h"
#include "report.h"
#include "tunnels.h"

#include "base/log.h"
#include "core/uplink_plan.h"
#include "core/uplink_record.h"
#include "files/hub_noise_file.h"
#include "files/hub_routes_file.h"
#include "files/rathole_client_file.h"
#include "files/uplink_status_file.h"

#include <utility>

namespace losos {

namespace {

void remove_all_leftovers(const UplinkOptions& options) {
    for (const auto& path :
         {options.rathole_config, options.hub_routes_file, options.hub_noise_file,
          hub_noise_file::for_path(options.hub_noise_file), options.status_file}) {
        remove_leftovers(path);
    }
}

/// Without an uplink nothing of it stays: no tunnel, no route, no record.
Result<void> stand_down(const UplinkOptions& options) {
    TRY_ASSIGN(const auto tunnels,
               rathole_client_file::remove(options.rathole_config, Durability::durable));
    TRY(hub_routes_file::remove(options.hub_routes_file));
    TRY(uplink_status_file::remove(options.status_file));
    if (tunnels == Change::changed) {
        log(LogLevel::notice, "no uplink is set any more: removed {}", options.rathole_config);
    }
    return {};
}

/// Writes down what the hub routes here, and says what is new in it.
Result<void> record_routes(const std::string& path, const std::vector<RelayRoute>& routes) {
    auto before = hub_routes_file::load(path);
    if (!before) {
        log(LogLevel::warning, "{}; this pass writes it anew", before.error().what);
    }
    TRY(hub_routes_file::store(path, routes));
    const auto news = compare_hub_routes(
        before && *before ? **std::move(before) : std::vector<RelayRoute>(), routes);
    for (const RelayRoute& route : news.removed) {
        log(LogLevel::notice, "the hub routes {} no longer to {}", route.domain, route.id);
    }
    for (const RelayRoute& route : news.added) {
        log(LogLevel::notice, "the hub routes {} to {}", route.domain, route.id);
    }
    return {};
}

Result<void> relay_boxes(const UplinkOptions& options, const UplinkConfig& uplink,
                         InputStamps& stamps, PassReport& report) {
    TRY_ASSIGN(const auto secrets, load_secrets(uplink, stamps));
    TRY_ASSIGN(const auto live, load_live(options, stamps));
    if (live.held_back) {
        report.hold_back(*live.held_back);
        return {};
    }
    const auto selection = select_for_relay(live.boxes);
    report.leave_out(selection.left_out);

    TRY_ASSIGN(const auto hub_key, settle_hub_key(options, uplink, secrets));
    Tunnels tunnels(options.rathole_config, uplink, secrets, hub_key.key);
    if (hub_key.fault) {
        // Tunnels to a hub without Noise stand without a key: it was met before.
        TRY_ASSIGN(const auto met, tunnels.stand());
        TRY(hub_key.key || met ? tunnels.trim(live.boxes) : tunnels.remove());
        return *hub_key.fault;
    }
    auto answer = relay_to_hub(uplink, secrets.token, selection.sent, options.timeout);
    if (!answer) {
        TRY(tunnels.trim(live.boxes));
        return std::move(answer).error();
    }
    const auto believed = keep_what_was_asked(*std::move(answer), selection.sent);
    report.take_answer(believed);
    TRY(tunnels.follow(selection.sent, believed));
    return record_routes(options.hub_routes_file, believed.routes);
}

Result<void> run_pass(const UplinkOptions& options, InputStamps& stamps) {
    stamps.note(options.uplink_file);
    TRY_ASSIGN(const auto uplink, uplink_file::load(options.uplink_file));
    if (!uplink) {
        return stand_down(options);
    }
    PassReport report(options.status_file, *uplink);
    auto outcome = relay_boxes(options, *uplink, stamps, report);
    report.store(outcome);
    return outcome;
}

} // namespace

Result<void> run_passes(const UplinkOptions& options) {
    TRY_ASSIGN(const auto lock, FileLock::wait_for(uplink_file::lock_path(options.uplink_file)));
    remove_all_leftovers(options);
    while (true) {
        InputStamps stamps;
        auto outcome = run_pass(options, stamps);
        if (!stamps.changed()) {
            return outcome;
        }
    }
}

} // namespace losos
