// The tunnels' configurations that are read back, uplink.toml and client.toml.
#include "check.h"
#include "target.h"

#include "core/rathole_config.h"

#include <algorithm>

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const RatholeClientHead head{*Endpoint::parse("losos.cfd:2333"), std::nullopt, std::nullopt};
    const auto render = [&](const std::vector<RowId>& ids) {
        std::vector<RatholeClientService> services;
        for (const RowId& id : ids) {
            services.push_back({id, *Token::parse("acme-acme-acme-acme-acme-acme-acme"),
                                *Port::from_number(20000)});
        }
        return render_rathole_client(head, services);
    };
    const auto ids = check_codec(input, parse_rathole_client_services, render);
    if (ids) {
        FUZZ_CHECK(std::is_sorted(ids->begin(), ids->end()));
        FUZZ_CHECK(has_client_head(render(*ids), head));
    }
    FUZZ_CHECK(!has_client_head(input, head) || input.starts_with("[client]\nremote_addr"));
}

const Known k_known({"rathole-client", "rathole's client configurations", k_file,
                     "rathole-client/*.toml", run});

} // namespace
} // namespace losos::fuzz
