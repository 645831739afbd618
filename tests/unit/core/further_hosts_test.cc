#include "core/further_hosts.h"
#include "core/serving_plan.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

#include <algorithm>
#include <random>

using namespace losos;
using namespace losos::make;

TEST_CASE("a box is served under its name in the zone and its live domains") {
    const Vouchers vouchers{{label("anna"), voucher()}, {label("ben"), voucher(k_other_uuid)}};
    const auto hosts = hosts_of_boxes(
        vouchers, name("losos.example"),
        {{label("anna"), {name("cloud.example.org")}}, {label("zoe"), {name("zoe.example.org")}}});
    CHECK(hosts ==
          FurtherHosts{
              {label("anna"), {name("4bc6f6e69a9f040f.losos.example"), name("cloud.example.org")}},
              {label("ben"), {name("855656ad5562941e.losos.example")}}});
}

TEST_CASE("of boxes with one UUID the first by id has its name in the zone") {
    const FurtherHosts domains{{label("zoe"), {name("cloud.example.org")}}};
    const auto name_in_zone = name("4bc6f6e69a9f040f.losos.example");
    const auto hosts = hosts_of_boxes({{label("anna"), voucher()}, {label("zoe"), voucher()}},
                                      name("losos.example"), domains);
    CHECK(hosts == FurtherHosts{{label("anna"), {name_in_zone}},
                                {label("zoe"), {name("cloud.example.org")}}});
    CHECK(hosts_of_boxes({{label("zoe"), voucher()}}, name("losos.example"), domains) ==
          FurtherHosts{{label("zoe"), {name_in_zone, name("cloud.example.org")}}});
}

TEST_CASE(
    "a claim that flaps is offered for a certificate only while it is live, and always alike") {
    EdgeState state;
    state.roster = merge_roster(
        {{{label("anna"), name("anna.test"), "/t", false, false, std::nullopt}, token('t')}}, {});
    state.rows = {{row_id("anna"), {name("anna.test"), port(20000)}}};
    DomainTable table;
    const DomainRules rules;
    const auto one = voucher();
    const Instant now{MonotonicTime{0}, UnixTime{1'800'000'000}};
    add_domain(table, label("anna"), "cloud.example.org", &one, {}, rules, now);
    std::mt19937 random(5); // NOLINT(cert-msc51-cpp): the same walk each time
    int offered = 0;
    std::optional<RouterTls> tls;
    for (int step = 0; step < 500; ++step) {
        take_check(table, {label("anna"), domain("cloud.example.org"), one},
                   random() % 3 == 0 ? k_right : k_no_proof, {}, rules, now);
        const auto plan = plan_serving(state, {"le", "wild"}, served_domains(table, {}, rules));
        const bool is_live = table.begin()->second.claim.status == ClaimStatus::live;
        const auto router =
            std::find_if(plan.routers.begin(), plan.routers.end(),
                         [](const Router& each) { return each.host == name("cloud.example.org"); });
        REQUIRE((router != plan.routers.end()) == is_live);
        if (is_live) {
            ++offered;
            CHECK((!tls || *tls == router->tls));
            tls = router->tls;
        }
    }
    CHECK(tls == RouterTls{"le", std::nullopt});
    CHECK(offered > 50);
    CHECK(offered < 450);
}
