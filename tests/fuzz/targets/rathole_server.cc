// Where a tunnel server listens, read back from server.toml.
#include "check.h"
#include "target.h"

#include "core/rathole_config.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto bind = parse_rathole_server_bind(input);
    FUZZ_CHECK(bind == parse_rathole_server_bind(input));
    if (bind) {
        FUZZ_CHECK(parse_rathole_server_bind(render_rathole_server({*bind, {}, {}}, {})) == bind);
    }
}

const Known k_known({"rathole-server", "rathole's server configurations", k_file,
                     "rathole-server/*.toml", run});

} // namespace
} // namespace losos::fuzz
