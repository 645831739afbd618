// The rules of POST /relay, rule by rule (losos-registrar(8)), as one pure function.
#pragma once

#include "core/port_pool.h"
#include "core/registry.h"
#include "core/relay_api.h"
#include "core/relay_bindings.h"

#include <map>
#include <vector>

namespace losos {

/// With that many ports of boxes it gave up still at rest, a gateway gets no further one: boxes
/// under ever new ids must not leave the other gateways without.
inline constexpr std::size_t k_resting_max = 4 * k_relay_max;

/// What a `/relay` list is judged against.
struct RelayContext {
    DnsLabel spoke;
    DnsName zone;
    const std::map<RowId, RegistryRow>& rows;
    /// The edge's own name and the reserved ones.
    const std::vector<DnsName>& reserved;
    /// How many ports rest that were the spoke's boxes'.
    std::size_t resting = 0;
};

/// The verdict on a whole list: the rows the spoke has from now on, and the answer.
struct RelayVerdict {
    std::map<RowId, RegistryRow> rows;
    std::vector<AcceptedBox> accepted;
    std::vector<RefusedBox> refused;
    /// What each accepted box was listed with.
    std::vector<ListedPass> passes;
};

/// Accepts or refuses each box in the order of the list; a row keeps its port, a new one takes one
/// from `pool`. An id or hostname is taken by the first box accepted with it: a box that was itself
/// refused blocks no later one. Rows the list leaves out are not in the verdict; giving their ports
/// back is the caller's.
RelayVerdict check_relay(const RelayContext& context, const std::vector<RelayedBox>& listed,
                         PortPool& pool);

} // namespace losos
