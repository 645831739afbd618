// The bodies of POST /deregister, and of every route that is not offered.
#include "check.h"
#include "target.h"

#include "core/heartbeat_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto call = check_codec(input, parse_deregister_call, render_deregister_call);
    if (call) {
        const auto again = parse_deregister_call(render_deregister_call(*call));
        FUZZ_CHECK(again->appliance_id == call->appliance_id && again->token == call->token);
    }
}

const Known k_known({"deregister-call", "bodies of /deregister", k_body, "register/deregister.json",
                     run});

} // namespace
} // namespace losos::fuzz
