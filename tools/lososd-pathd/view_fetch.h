// One call of a box to its hub: proves the hub, asks for the view, and writes what the box keeps of
// it. It waits for network and disk, so it has a thread for as long as it lasts.
#pragma once

#include "core/identity_key.h"
#include "core/names.h"
#include "core/network.h"
#include "core/token.h"
#include "core/view_machine.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace losos {

struct ViewOrder {
    IdentityPublicKey root;
    HttpUrl hub;
    DnsLabel box;
    Token token;
    std::string pass_file;
    std::string public_names_file;
};

struct ViewOutcome {
    ViewReply reply = ViewReply::silent;
    PassFate fate = PassFate::kept;
    /// What is wrong; empty with a view that is written.
    std::string fault;
    /// The live domains, where they are others than before.
    std::optional<std::vector<CustomDomain>> news;
};

/// The token goes to nobody who did not prove to be official a moment before. Silent soon after
/// `abandoned` turned true.
ViewOutcome fetch_view(const ViewOrder& order, const std::atomic<bool>& abandoned);

} // namespace losos
