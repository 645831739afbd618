#include "core/box_view.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "core/domain_claim.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

/// What `parse` makes of a text that stands in a field.
template <class Parse>
auto read_as(const Json& field, std::string_view key, Parse parse)
    -> std::invoke_result_t<Parse, std::string_view> {
    TRY_ASSIGN(const std::string_view text, field.text(key));
    auto value = parse(text);
    if (!value) {
        return fail(Errc::failed, "field \"{}\" (byte {}): {}", key, field.offset(),
                    value.error().what);
    }
    return value;
}

} // namespace

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
            TRY_ASSIGN(auto domain, read_as(*entry.find("domain"), "domain", CustomDomain::parse));
            view.live.push_back(std::move(domain));
        }
    }
    std::sort(view.live.begin(), view.live.end());
    view.live.erase(std::unique(view.live.begin(), view.live.end()), view.live.end());
    if (const Json* const pass = json.find("relay_pass")) {
        TRY_ASSIGN(view.pass, read_as(*pass, "relay_pass", RelayPass::parse));
    }
    return view;
}

} // namespace losos
