// What a hub answers to /domains, as a box reads it.
#include "check.h"
#include "target.h"

#include "core/box_view.h"
#include "core/domains_api.h"
#include "files/public_names_file.h"

namespace losos::fuzz {
namespace {

/// The answer of a hub that knows no more of a box than the box takes of it.
std::string render_box_view(const BoxView& view) {
    DomainsView shown;
    for (const auto& domain : view.live) {
        shown.domains.push_back({.domain = domain,
                                 .status = ClaimStatus::live,
                                 .txt_name = {},
                                 .txt_value = {},
                                 .problem = std::nullopt,
                                 .checked_at = std::nullopt,
                                 .verified_at = std::nullopt});
    }
    shown.relay_pass = view.pass;
    return render_domains_view(shown);
}

void run(std::string_view input) {
    const auto view = check_codec(input, parse_box_view, render_box_view);
    if (!view) {
        return;
    }
    FUZZ_CHECK(view->live.size() <= k_view_domains_max);
    const auto names = public_names_file::render(view->live);
    FUZZ_CHECK(names.size() <= public_names_file::k_limit);
    FUZZ_CHECK(public_names_file::parse(names).has_value());
}

const Known k_known({"domains-view", "answers of /domains", k_body, "domains/view*.json", run});

} // namespace
} // namespace losos::fuzz
