// Whether a port that has rested may be given away: not while a connection to it still leads to the
// box that left. Traefik would keep it for the next owner once its request is answered, however
// long that takes.
#pragma once

#include "core/edge_state.h"

#include <cstdint>
#include <set>

namespace losos {

/// How long a rest that was prolonged goes on before the port is looked at again.
inline constexpr Duration k_rest_prolonged_by = std::chrono::seconds(5);

/// Whether a port's rest has ended by `now`, so that its connections are worth a look.
bool some_rest_ends(const EdgeState& state, MonotonicTime now);

/// Lets the ended rests of these ports go on. What is stored stays as it is: a registrar that
/// starts looks at the connections itself.
void prolong_rests(EdgeState& state, const std::set<std::uint16_t>& connected, MonotonicTime now);

} // namespace losos
