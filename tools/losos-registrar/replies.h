// Decisions as HTTP replies: the statuses and sentences of the API.
#pragma once

#include "core/edge_state.h"
#include "io/http_server.h"

namespace losos {

HttpReply reply_to_register(const RegisterOutcome& outcome);
HttpReply reply_to_deregister(DeregisterOutcome outcome);
/// 204: what a caller is told then is not the reconciler's to know.
HttpReply reply_to_join(JoinOutcome outcome);
HttpReply reply_to_relay(const RelayOutcome& outcome);

/// 401, the same for an unknown id and a wrong token.
HttpReply reply_unauthorized();

} // namespace losos
