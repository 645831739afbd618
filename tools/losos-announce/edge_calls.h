// The calls a box makes to an edge.
#pragma once

#include "announce_options.h"
#include "box_inputs.h"

#include "core/announce_machine.h"
#include "core/rathole_config.h"

#include <optional>

namespace losos {

/// How a call went: the status an edge answered with, and unless it was the right one, the error.
struct CallOutcome {
    /// nullopt without an answer, and with one that is none of an edge's.
    std::optional<int> status;
    std::optional<Error> error;
};

/// POST /register or /heartbeat.
CallOutcome announce(AnnounceCall call, const AnnounceOptions& options, const BoxInputs& inputs);

/// POST /deregister at an edge the box has left.
CallOutcome deregister(const HttpUrl& edge, const AnnounceOptions& options, const Token& token);

/// The Noise key by which an edge is known whatever its address; nullopt for one that shows none.
/// Fails without an answer.
Result<std::optional<NoiseKey>> ask_who_it_is(const HttpUrl& edge);

} // namespace losos
