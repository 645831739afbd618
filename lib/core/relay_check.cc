#include "core/relay_check.h"

#include "base/format.h"

#include <algorithm>
#include <set>
#include <utility>

namespace losos {
namespace {

/// The hostnames other gateways' boxes hold.
std::set<DnsName> held_elsewhere(const RelayContext& context) {
    const auto own_prefix = context.spoke.text() + ".";
    std::set<DnsName> held;
    for (const auto& [id, row] : context.rows) {
        if (id.is_relayed() && !id.text().starts_with(own_prefix)) {
            held.insert(row.hostname);
        }
    }
    return held;
}

/// Judges the boxes of one list one after the other.
class RelayJudge {
public:
    RelayJudge(const RelayContext& context, PortPool& pool)
        : m_context(context), m_pool(pool), m_held_elsewhere(held_elsewhere(context)) {}

    Result<AcceptedBox> judge(const RelayedBox& listed) {
        auto id = DnsLabel::parse(listed.id);
        if (!id) {
            return refusal("the id is not a DNS label");
        }
        auto hostname = DnsName::parse(listed.hostname);
        if (!hostname || !hostname->is_one_label_under(m_context.zone)) {
            return refusal(format("the hostname is not one label under {}", m_context.zone.text()));
        }
        TRY(check_names(*id, *hostname));
        TRY_ASSIGN(const auto port, port_for(RowId::relayed(m_context.spoke, *id)));
        m_ids.insert(*id);
        m_hostnames.insert(*hostname);
        return AcceptedBox{*std::move(id), *std::move(hostname), port};
    }

private:
    static Error refusal(std::string reason) { return Error{Errc::refused, std::move(reason)}; }

    Result<void> check_names(const DnsLabel& id, const DnsName& hostname) const {
        const auto& reserved = m_context.reserved;
        if (std::find(reserved.begin(), reserved.end(), hostname) != reserved.end()) {
            return refusal("the hostname is reserved");
        }
        if (m_ids.contains(id)) {
            return refusal("the id is listed twice");
        }
        if (m_hostnames.contains(hostname)) {
            return refusal("the hostname is listed twice");
        }
        if (m_held_elsewhere.contains(hostname)) {
            return refusal("another gateway holds the hostname");
        }
        return {};
    }

    Result<Port> port_for(const RowId& id) {
        const auto row = m_context.rows.find(id);
        if (row != m_context.rows.end()) {
            return row->second.port;
        }
        const bool has_many_resting = m_context.resting >= k_resting_max;
        if (const auto port = has_many_resting ? m_pool.take_own(id) : m_pool.take(id)) {
            return *port;
        }
        return refusal(has_many_resting ? "too many ports of boxes this gateway gave up still rest"
                                        : "no port is free");
    }

    const RelayContext& m_context;
    PortPool& m_pool;
    std::set<DnsName> m_held_elsewhere;
    std::set<DnsLabel> m_ids;
    std::set<DnsName> m_hostnames;
};

} // namespace

RelayVerdict check_relay(const RelayContext& context, const std::vector<RelayedBox>& listed,
                         PortPool& pool) {
    RelayVerdict verdict;
    RelayJudge judge(context, pool);
    for (const auto& box : listed) {
        auto accepted = judge.judge(box);
        if (!accepted) {
            verdict.refused.push_back(RefusedBox{box.id, std::move(accepted).error().what});
            continue;
        }
        verdict.rows.emplace(RowId::relayed(context.spoke, accepted->id),
                             RegistryRow{accepted->hostname, accepted->rathole_port});
        verdict.passes.push_back({accepted->id, box.pass, box.odd_pass});
        verdict.accepted.push_back(*std::move(accepted));
    }
    return verdict;
}

} // namespace losos
