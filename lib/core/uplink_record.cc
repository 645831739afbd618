#include "core/uplink_record.h"

#include "core/edge_answer.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace losos {

RelayAnswer keep_what_was_asked(RelayAnswer answer, const std::vector<LiveBox>& sent) {
    std::set<std::string> asked;
    for (const auto& box : sent) {
        asked.insert(box.id.text());
    }
    std::erase_if(answer.accepted,
                  [&](const AcceptedBox& box) { return asked.count(box.id.text()) == 0; });
    // Erased as each is met, so that of several verdicts on one box the first counts.
    std::erase_if(answer.refused, [&](const RefusedBox& box) { return asked.erase(box.id) == 0; });
    for (auto& box : answer.refused) {
        box.reason = quote_answer(box.reason);
    }
    return answer;
}

RefusalNews compare_refusals(const std::vector<RefusedBox>& before, const RelayAnswer& now) {
    RefusalNews news;
    for (const auto& box : now.refused) {
        if (std::find(before.begin(), before.end(), box) == before.end()) {
            news.refused.push_back(box);
        }
    }
    std::set<std::string> accepted;
    for (const auto& box : now.accepted) {
        accepted.insert(box.id.text());
    }
    for (const auto& box : before) {
        if (accepted.erase(box.id) != 0) {
            news.no_longer.push_back(box.id);
        }
    }
    return news;
}

HubRouteNews compare_hub_routes(std::vector<RelayRoute> before, std::vector<RelayRoute> now) {
    for (auto* routes : {&before, &now}) {
        std::sort(routes->begin(), routes->end());
        routes->erase(std::unique(routes->begin(), routes->end()), routes->end());
    }
    HubRouteNews news;
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                        std::back_inserter(news.added));
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                        std::back_inserter(news.removed));
    return news;
}

} // namespace losos
