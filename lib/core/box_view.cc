#include "core/box_view.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "core/domain_claim.h"

#include <algorithm>
#include <utility>

namespace losos {

Result<BoxView> parse_box_view(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto* entries, json.required_items("domains"));
    if (entries->size() > k_view_domains_max) {
        return fail(Errc::failed, "field \"domains\" holds more than {} domains",
                    k_view_domains_max);
    }
    BoxView view;
    for (const Json& entry : *entries) {
        TRY_ASSIGN(const auto status, entry.required_text("status"));
        TRY(entry.required_text("domain"));
        if (status == text_of(ClaimStatus::live)) {
            TRY_ASSIGN(auto domain, entry.find("domain")->text_as("domain", CustomDomain::parse));
            view.live.push_back(std::move(domain));
        }
    }
    std::sort(view.live.begin(), view.live.end());
    view.live.erase(std::unique(view.live.begin(), view.live.end()), view.live.end());
    if (const Json* const pass = json.find("relay_pass")) {
        TRY_ASSIGN(view.pass, pass->text_as("relay_pass", RelayPass::parse));
    }
    return view;
}

} // namespace losos
