// POST /relay: both sides of its wire format.
#pragma once

#include "base/result.h"
#include "core/names.h"
#include "core/port.h"
#include "core/relay_pass.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// A spoke may list at most this many boxes.
inline constexpr std::size_t k_relay_max = 64;

/// One box as the spoke lists it; nothing in it is believed yet.
struct RelayedBox {
    std::string id;
    std::string hostname;
    /// nullopt when absent or not of the right shape.
    std::optional<RelayPass> pass;
    /// Whether what stood there was not of the right shape.
    bool odd_pass = false;
    friend bool operator==(const RelayedBox&, const RelayedBox&) = default;
};

struct RelayCall {
    std::string appliance_id;
    std::string token;
    std::vector<RelayedBox> tenants;
};

struct AcceptedBox {
    DnsLabel id;
    DnsName hostname;
    Port rathole_port;
    friend bool operator==(const AcceptedBox&, const AcceptedBox&) = default;
};

struct RefusedBox {
    std::string id;
    std::string reason;
    friend bool operator==(const RefusedBox&, const RefusedBox&) = default;
};

/// A custom domain the hub routes to one of the spoke's boxes.
struct RelayRoute {
    std::string id;
    std::string domain;
    friend auto operator<=>(const RelayRoute&, const RelayRoute&) = default;
};

struct RelayAnswer {
    std::vector<AcceptedBox> accepted;
    std::vector<RefusedBox> refused;
    std::vector<RelayRoute> routes;
};

/// Fails with a sentence that names the field; more than 64 boxes fail too.
Result<RelayCall> parse_relay_call(std::string_view body);
std::string render_relay_call(const RelayCall& call);

/// Reads what a hub answered; a row that makes no sense makes the whole answer fail.
Result<RelayAnswer> parse_relay_answer(std::string_view body);
std::string render_relay_answer(const RelayAnswer& answer);

} // namespace losos
