// Whether a host may be on the internet, where nothing may be said in the clear.
#pragma once

#include "core/network.h"

namespace losos {

/// True for an address that is not private, and for a DNS name, which may point anywhere, unless it
/// can only be a name of this machine or its own network: one without a dot, `localhost`, and names
/// under .localhost, .local, .lan, .internal and .home.arpa. Nothing is looked up.
bool may_be_public(const Endpoint& endpoint);

} // namespace losos
