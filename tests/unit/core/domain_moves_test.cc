// Many boxes at one edge, in random order: what must hold whatever they do.
#include "core/domain_table.h"

#include "unit/core/domain_world.h"

#include "support/catch.h"

#include <random>
#include <set>

using namespace losos;
using namespace losos::make;
using namespace losos::domain_world;

TEST_CASE("whatever boxes do, a domain is served for one of them, proved and vouched for") {
    std::mt19937 random(42); // NOLINT(cert-msc51-cpp): the same walk each time
    Edge edge;
    Vouchers vouchers;
    const std::vector<std::string> boxes{"anna", "ben", "cleo"};
    Instant now = k_now;
    for (int step = 0; step < 5000; ++step) {
        const auto& box = boxes[random() % boxes.size()];
        const auto text = numbered(static_cast<int>(random() % 4));
        const auto found = vouchers.find(label(box));
        const auto* mine = found == vouchers.end() ? nullptr : &found->second;
        switch (random() % 6) {
        case 0:
            add_domain(edge.table, label(box), text, mine, edge.hostnames, edge.rules, now);
            break;
        case 1:
            if (random() % 4 == 0) {
                remove_domain(edge.table, label(box), text);
            }
            break;
        case 2:
            if (random() % 3 == 0) {
                vouchers.erase(label(box));
            } else {
                vouchers.insert_or_assign(label(box),
                                          voucher(random() % 8 == 0 ? k_other_uuid : k_uuid));
            }
            follow_vouchers(edge.table, vouchers, now);
            break;
        default:
            now.monotonic += Duration(20'000);
            now.unix += UnixTime(20);
            for (const auto& check : plan_checks(edge.table, {}, now.monotonic)) {
                const auto& finding = random() % 3 == 0 ? k_no_proof : k_right;
                take_check(edge.table, check, random() % 5 == 0 ? k_silence : finding,
                           edge.hostnames, edge.rules, now);
            }
            drop_overdue(edge.table, now.monotonic);
        }
        std::set<DnsName> served;
        for (const auto& [owner, names] : served_domains(edge.table, edge.hostnames, edge.rules)) {
            for (const auto& each : names) {
                CHECK(served.insert(each).second);
                const auto& claim = edge.at(owner.text(), each.text()).claim;
                CHECK(claim.verified_at.has_value());
                CHECK(vouchers.at(owner) == claim.voucher);
            }
        }
        const auto again = restore_domains(claims_of(edge.table), edge.rules, now);
        CHECK(claims_of(again) == claims_of(edge.table));
    }
}

TEST_CASE("claims are counted by their status") {
    Edge edge;
    CHECK(count_claims(edge.table) == ClaimCounts{0, 0});
    edge.add("mattbox", numbered(1));
    edge.add("mattbox", numbered(2));
    edge.add("zoe", numbered(2));
    edge.check("mattbox", numbered(2), k_right);
    CHECK(count_claims(edge.table) == ClaimCounts{1, 2});
}
