#include "tunnels.h"

#include "base/log.h"
#include "core/uplink_plan.h"
#include "files/rathole_client_file.h"

#include <utility>

namespace losos {

Tunnels::Tunnels(std::string path, const UplinkConfig& uplink, const UplinkSecrets& secrets,
                 const std::optional<NoiseKey>& hub_key)
    : m_path(std::move(path)), m_spoke(uplink.id),
      m_token(secrets.token), m_head{uplink.rathole_endpoint, secrets.bootstrap_token, hub_key} {}

Result<void> Tunnels::follow(const std::vector<LiveBox>& sent, const RelayAnswer& answer) {
    return write(services_after_answer(m_spoke, m_token, sent, answer));
}

Result<void> Tunnels::trim(const std::vector<LiveBox>& live) {
    const auto kept = rathole_client_file::load_services(m_path);
    if (!kept) {
        // It can be made anew from the hub's next answer, and until then it is worth nothing.
        log(LogLevel::warning, "{}; it is written anew without a tunnel", kept.error().what);
        return write({});
    }
    if (!*kept) {
        return {};
    }
    return write(services_without_answer(m_spoke, m_token, live, **kept));
}

Result<bool> Tunnels::stand() const {
    TRY_ASSIGN(const auto text, rathole_client_file::load(m_path));
    return text && has_client_head(*text, m_head);
}

Result<void> Tunnels::remove() {
    TRY(rathole_client_file::remove(m_path, Durability::durable));
    return {};
}

Result<void> Tunnels::write(const std::vector<RatholeClientService>& services) {
    TRY(rathole_client_file::store(m_path, render_rathole_client(m_head, services),
                                   Durability::durable));
    return {};
}

} // namespace losos
