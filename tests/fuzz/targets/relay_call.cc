// The bodies of POST /relay, and the verdict on what they list.
#include "check.h"
#include "target.h"

#include "core/relay_api.h"
#include "core/relay_check.h"

#include <set>

namespace losos::fuzz {
namespace {

void check_verdict(const RelayCall& call) {
    const DnsLabel spoke = *DnsLabel::parse("acme");
    const DnsName zone = *DnsName::parse("acme.losos.cfd");
    const std::map<RowId, RegistryRow> rows{
        {RowId::relayed(spoke, *DnsLabel::parse("mattbox")), {zone, *Port::from_number(20000)}}};
    const std::vector<DnsName> reserved{*DnsName::parse("www.acme.losos.cfd")};
    PortPool pool(*PortRange::parse("20000-20003"), rows, {});
    const auto verdict = check_relay({spoke, zone, rows, reserved}, call.tenants, pool);

    FUZZ_CHECK(verdict.accepted.size() + verdict.refused.size() == call.tenants.size());
    FUZZ_CHECK(verdict.rows.size() == verdict.accepted.size());
    std::set<Port> ports;
    std::set<DnsName> names;
    for (const auto& box : verdict.accepted) {
        FUZZ_CHECK(ports.insert(box.rathole_port).second && names.insert(box.hostname).second);
        FUZZ_CHECK(box.hostname.is_one_label_under(zone) && box.hostname != reserved[0]);
    }
    for (const auto& box : verdict.refused) {
        check_sentence(box.reason);
    }
}

void run(std::string_view input) {
    const auto call = check_codec(input, parse_relay_call, render_relay_call);
    if (call) {
        FUZZ_CHECK(call->tenants.size() <= k_relay_max);
        FUZZ_CHECK(parse_relay_call(render_relay_call(*call))->tenants == call->tenants);
        check_verdict(*call);
    }
}

const Known k_known({"relay-call", "bodies of /relay", k_body, "relay-answer/call.json", run});

} // namespace
} // namespace losos::fuzz
