// The bodies of POST /register.
#include "check.h"
#include "target.h"

#include "core/register_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto call = check_codec(input, parse_register_call, render_register_call);
    if (call) {
        FUZZ_CHECK((call->relay_pass.what == PassUpdate::What::set) ==
                   call->relay_pass.pass.has_value());
        FUZZ_CHECK(parse_register_call(render_register_call(*call))->relay_pass ==
                   call->relay_pass);
    }
}

const Known k_known({"register-call", "bodies of /register", k_body, "register/call*.json", run});

} // namespace
} // namespace losos::fuzz
