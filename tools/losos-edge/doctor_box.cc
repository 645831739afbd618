#include "doctor_asking.h"
#include "doctor_place.h"

#include "core/check_box.h"
#include "files/announced_file.h"
#include "files/edge_file.h"
#include "files/edge_path_env_file.h"
#include "files/paths.h"
#include "files/pin_file.h"
#include "files/rathole_client_file.h"
#include "files/refused_file.h"

namespace losos {

namespace {

AnnounceFacts announce_facts(const std::string& run_dir) {
    AnnounceFacts facts;
    const auto announced = announced_file::load(in_directory(run_dir, k_announced));
    if (announced && *announced) {
        facts.registered_at = (*announced)->url;
    }
    const auto refused = refused_file::load(in_directory(run_dir, k_refused));
    if (refused && *refused) {
        for (const auto& refusal : **refused) {
            facts.refusals.push_back({refusal.url, refusal.status});
        }
    }
    return facts;
}

/// The id of the tunnel's one service.
std::optional<std::string> own_id(const std::string& client_config) {
    const auto services = rathole_client_file::load_services(client_config);
    if (!services || !*services || (*services)->empty()) {
        return std::nullopt;
    }
    return (*services)->front().text();
}

Checks examine_path(const DoctorPlace& place) {
    const auto document = edge_file::load(in_directory(place.options.box_run_dir, k_edge_json));
    if (!document || !*document) {
        return {check_not_made("path", "lososd-pathd has not said which one it chose")};
    }
    return check_path(**document);
}

Checks examine_path_edge(const DoctorPlace& place) {
    const auto& options = place.options;
    const auto path = edge_path_env_file::load(in_directory(options.box_run_dir, k_edge_path_env));
    const auto announced = announce_facts(options.box_run_dir);
    if (!path || !*path) {
        return check_refusals(announced);
    }
    const auto& edge = **path;
    auto checks = check_registration(edge.url, announced);
    const auto pin = pin_file::load(edge.noise_pub_file);
    append(checks,
           examine_other_edge({"edge", edge.url, edge.rathole, own_id(options.rathole_client),
                               in_directory(options.secrets_dir, k_proxy_token),
                               pin ? *pin : std::nullopt, edge.noise_pub_file},
                              options.timeout));
    return checks;
}

} // namespace

Checks examine_box(const DoctorPlace& place) {
    auto checks = examine_path(place);
    append(checks, examine_path_edge(place));
    checks.push_back(check_web_server(ask_local(*place.options.http_port, "localhost",
                                                LocalTransport::plain, place.options.timeout)));
    return checks;
}

} // namespace losos
