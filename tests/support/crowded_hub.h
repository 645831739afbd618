// A hub with a full route table: boxes behind gateways, members of the mesh that are vouched for
// and bound by a pass, each with as many live domains. Of numbers alone, so that it is the same
// each time.
#pragma once

#include "base/format.h"
#include "core/domain_table.h"
#include "core/edge_state.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace losos::crowd {

inline constexpr Instant k_now{MonotonicTime{1'000'000}, UnixTime{1'790'000'000}};
inline constexpr int k_first_port = 20000;
/// As many as one gateway may bring.
inline constexpr int k_boxes_a_gateway = 64;

/// The value of a result that must be there.
template <class T>
T sound(Result<T> result) {
    if (!result) {
        std::fputs((result.error().what + "\n").c_str(), stderr);
        std::abort();
    }
    return *std::move(result);
}

inline DnsLabel box_at(int number) {
    return sound(DnsLabel::parse(format("box{}", number)));
}

inline DnsLabel gateway_at(int number) {
    return sound(DnsLabel::parse(format("gateway{}", number)));
}

inline RosterEntry entry_of(std::string_view hostname, int number) {
    return {.kind = TenantKind::listed,
            .hostname = sound(DnsName::parse(hostname)),
            .token = sound(Token::parse(format("{:0>64}", number))),
            .relay_zone = std::nullopt};
}

struct Hub {
    DnsName zone = sound(DnsName::parse("boxes.losos.example"));
    EdgeState state;
    Vouchers vouchers;
    std::vector<DomainClaim> claims;
};

inline void add_box(Hub& hub, int number, int domains) {
    const auto box = box_at(number);
    const int place = number / k_boxes_a_gateway;
    const auto gateway = gateway_at(place);
    auto row = entry_of(format("box{}.own.example", number), number);
    row.cluster = true;
    hub.state.roster.emplace(box, std::move(row));
    const auto zone = format("gateway{}.losos.example", place);
    if (!hub.state.roster.contains(gateway)) {
        auto entry = entry_of(zone, number);
        entry.relay_zone = entry.hostname;
        hub.state.roster.emplace(gateway, std::move(entry));
    }
    hub.state.rows.emplace(RowId::relayed(gateway, box),
                           RegistryRow{sound(DnsName::parse(format("box{}.{}", number, zone))),
                                       sound(Port::from_number(k_first_port + number))});
    hub.state.compute_windows.emplace(box, ComputeWindow{});
    hub.state.bindings.emplace(box, Binding{gateway, pass_hour_of(k_now.unix)});
    const Voucher voucher{sound(AccountId::parse(format("acct_{}", number))),
                          sound(BoxUuid::parse(format("00000000-0000-4000-8000-{:0>12}", number)))};
    hub.vouchers.emplace(box, voucher);
    for (int i = 0; i < domains; ++i) {
        auto claim =
            new_claim(box, sound(CustomDomain::parse(format("d{}.box{}.example.org", i, number))),
                      voucher, k_now.unix);
        claim.status = ClaimStatus::live;
        claim.txt_found = claim.points_here = true;
        claim.checked_at = claim.verified_at = k_now.unix;
        hub.claims.push_back(std::move(claim));
    }
}

/// `domains` are dealt to the boxes evenly.
inline Hub make_hub(int boxes, int domains) {
    Hub hub;
    for (int number = 0; number < boxes; ++number) {
        add_box(hub, number, domains / boxes);
    }
    return hub;
}

} // namespace losos::crowd
