// Calls on their way from the API's threads to the reconciler, and their replies on the way back.
#pragma once

#include "base/guarded.h"
#include "core/cluster_api.h"
#include "core/domains_api.h"
#include "core/heartbeat_api.h"
#include "core/register_api.h"
#include "core/relay_api.h"
#include "io/http_server.h"

#include <functional>
#include <future>
#include <variant>
#include <vector>

namespace losos {

/// A call that changes state.
using StateCall =
    std::variant<RegisterCall, DeregisterCall, RelayCall, DomainsCall, ClusterJoinCall>;

/// A call that waits for its reply.
struct PendingCall {
    StateCall call;
    std::promise<HttpReply> reply;
};

/// Where calls gather until the reconciler takes them all at once.
class Inbox {
public:
    /// `wake` is called after each call that was put in.
    explicit Inbox(std::function<void()> wake) : m_wake(std::move(wake)) {}

    /// Hands the call over and waits until it was decided and is on disk, or until `deadline`; then
    /// the reply is 503.
    HttpReply decide(StateCall call, MonotonicTime deadline);

    /// Everything that gathered since the last time.
    std::vector<PendingCall> take_all();

private:
    std::function<void()> m_wake;
    Guarded<std::vector<PendingCall>> m_calls;
};

} // namespace losos
