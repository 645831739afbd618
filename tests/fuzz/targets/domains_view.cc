// What a hub answers to /domains, as a box reads it.
#include "check.h"
#include "target.h"

#include "core/box_view.h"
#include "core/domains_api.h"
#include "files/public_names_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto view = parse_box_view(input);
    if (!view) {
        return;
    }
    FUZZ_CHECK(view->live.size() <= k_view_domains_max);
    const auto names = public_names_file::render(view->live);
    FUZZ_CHECK(names.size() <= public_names_file::k_limit);
    FUZZ_CHECK(public_names_file::parse(names).has_value());
    // What a box takes is what a hub that writes it again says.
    DomainsView again;
    for (const auto& domain : view->live) {
        again.domains.push_back({.domain = domain,
                                 .status = ClaimStatus::live,
                                 .txt_name = {},
                                 .txt_value = {},
                                 .problem = std::nullopt,
                                 .checked_at = std::nullopt,
                                 .verified_at = std::nullopt});
    }
    again.relay_pass = view->pass;
    const auto same = parse_box_view(render_domains_view(again));
    FUZZ_CHECK(same && *same == *view);
}

const Known k_known({"domains-view", "answers of /domains", k_body, "domains/view*.json", run});

} // namespace
} // namespace losos::fuzz
