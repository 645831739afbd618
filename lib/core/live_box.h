// A box that is live on this edge by its own registration: a row of live.json.
#pragma once

#include "core/names.h"
#include "core/port.h"
#include "core/relay_pass.h"

#include <optional>

namespace losos {

struct LiveBox {
    DnsLabel id;
    DnsName hostname;
    Port port;
    std::optional<RelayPass> pass;
    friend bool operator==(const LiveBox&, const LiveBox&) = default;
};

} // namespace losos
