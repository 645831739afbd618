#include "core/check_uplink.h"

#include "base/format.h"

#include <algorithm>

namespace losos {

namespace {

const std::string k_pass = "uplink pass";
// Three times the timer of the pass.
constexpr UnixTime k_late{60};

Check check_pass_itself(const PassFacts& pass) {
    if (pass.age > k_late) {
        return check_failed(k_pass, format("the last one was {} s ago, although there is one "
                                           "every 20 s; see \"systemctl status losos-uplink.timer "
                                           "losos-uplink.service\"",
                                           pass.age.count()));
    }
    if (pass.held_back) {
        return check_failed(k_pass, format("nothing is sent to the hub: {}", *pass.held_back));
    }
    if (pass.error) {
        return check_failed(k_pass, *pass.error);
    }
    // A clock that was set back meanwhile makes ages negative.
    return check_ok(k_pass, format("{} s ago", std::max(pass.age, UnixTime(0)).count()));
}

} // namespace

std::vector<Check> check_pass(const std::optional<PassFacts>& pass) {
    if (!pass) {
        return {check_failed(k_pass, "there was none for this hub yet; see \"systemctl status "
                                     "losos-uplink.timer losos-uplink.service\"")};
    }
    std::vector<Check> checks{check_pass_itself(*pass)};
    for (const auto& box : pass->refused) {
        checks.push_back(check_failed(format("relay of {}", box.id),
                                      format("the hub refuses it: {}", box.reason)));
    }
    for (const auto& id : pass->left_out) {
        checks.push_back(check_failed(format("relay of {}", id),
                                      format("it is not asked for: a hub takes {} boxes from one "
                                             "gateway",
                                             k_relay_max)));
    }
    return checks;
}

std::string_view name_of(HubVerdict verdict) {
    switch (verdict) {
    case HubVerdict::no_hub:
        return "none";
    case HubVerdict::accepted:
        return "accepted";
    case HubVerdict::refused:
        return "refused";
    case HubVerdict::left_out:
        return "left_out";
    case HubVerdict::unknown:
        break;
    }
    return "unknown";
}

HubOpinion opinion_on(const std::string& id, const std::vector<AcceptedBox>& accepted,
                      const std::vector<RefusedBox>& refused,
                      const std::vector<DnsLabel>& left_out) {
    for (const auto& box : refused) {
        if (box.id == id) {
            return {HubVerdict::refused, box.reason};
        }
    }
    for (const auto& box : accepted) {
        if (box.id.text() == id) {
            return {HubVerdict::accepted, {}};
        }
    }
    const bool is_left_out = std::any_of(left_out.begin(), left_out.end(),
                                         [&](const DnsLabel& one) { return one.text() == id; });
    return {is_left_out ? HubVerdict::left_out : HubVerdict::unknown, {}};
}

} // namespace losos
