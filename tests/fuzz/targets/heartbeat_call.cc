// The bodies of POST /heartbeat.
#include "check.h"
#include "target.h"

#include "core/heartbeat_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto call = check_codec(input, parse_heartbeat_call, render_heartbeat_call);
    if (call) {
        const auto again = parse_heartbeat_call(render_heartbeat_call(*call));
        FUZZ_CHECK(again->idle == call->idle && again->relay_pass == call->relay_pass);
    }
}

const Known k_known({"heartbeat-call", "bodies of /heartbeat", k_body, "heartbeat/*.json", run});

} // namespace
} // namespace losos::fuzz
