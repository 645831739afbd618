// Custom domains and the zone against tests/golden: files written byte for byte and read back, the
// bodies of the API, and the zone as Knot is to read it.
#include "core/box_view.h"
#include "core/domains_api.h"
#include "core/traefik_config.h"
#include "core/zone_text.h"
#include "files/domains_file.h"
#include "files/public_names_file.h"
#include "files/vouch_file.h"

#include "golden/golden.h"
#include "support/catch.h"
#include "unit/core/make_domains.h"

using namespace losos;
using namespace losos::make;

namespace {

constexpr Instant k_now{MonotonicTime{5'000'000}, UnixTime{1'800'000'000}};

ZoneRules zone_rules() {
    return {name("losos.example"),
            {name("ns1.losos.example"), name("ns2.losos.example")},
            name("hostmaster.losos.example"),
            {address("192.0.2.7"), address("2001:db8::7")}};
}

/// A live domain whose last check failed, and one that waits for its first.
DomainTable table() {
    DomainTable table;
    const auto one = voucher();
    for (const auto* text : {"cloud.example.org", "www.example.net"}) {
        add_domain(table, label("mattbox"), text, &one, {}, {}, k_now);
    }
    const DomainCheck check{label("mattbox"), domain("cloud.example.org"), one};
    take_check(table, check, k_right, {}, {}, k_now);
    const Instant later{k_now.monotonic, k_now.unix + UnixTime(3600)};
    take_check(table, check, {TxtFinding::right, PointingFinding::elsewhere}, {}, {}, later);
    return table;
}

} // namespace

TEST_CASE("golden/zone: an official edge and one that is not") {
    const ZoneContent content{true,
                              {name("4bc6f6e69a9f040f.losos.example"), name("acme.losos.example"),
                               name("mattbox.acme.losos.example"), name("zoe.losos.example")},
                              {name("acme.losos.example")}};
    const auto text = render_zone(zone_rules(), content, 1'800'000'000U);
    golden::check("zone/official.zone", text);
    golden::check("zone/bare.zone", render_zone(zone_rules(), {}, 1'800'000'001U));
    CHECK(parse_zone_serial(golden::text_of("zone/bare.zone")) == 1'800'000'001U);
    const auto plan = plan_zone(zone_rules(), content, golden::text_of("zone/official.zone"),
                                std::nullopt, k_now.unix + UnixTime(77));
    CHECK(plan.text == text);
}

TEST_CASE("golden/domains: what a box asks, and what it sees") {
    const std::string token = "mattbox-mattbox-mattbox-mattbox-mattbox";
    golden::check("domains/list.json",
                  render_domains_call({DomainsAction::list, "mattbox", token, ""}) + "\n");
    golden::check("domains/add.json",
                  render_domains_call({DomainsAction::add, "mattbox", token, "cloud.example.org"}) +
                      "\n");
    const ZonePlace place{name("losos.example"), zone_rules().addresses};
    const auto one = voucher();
    auto view = view_domains(table(), label("mattbox"), &one, place, {}, {});
    view.relay_pass = pass("500000", '0');
    golden::check("domains/view.json", render_domains_view(view) + "\n");
    CHECK(sound(parse_box_view(golden::text_of("domains/view.json"))) ==
          BoxView{{domain("cloud.example.org")}, view.relay_pass});
    const auto stranger = view_domains({}, label("anna"), nullptr, place, {}, {});
    golden::check("domains/view-not-eligible.json", render_domains_view(stranger) + "\n");
    CHECK(sound(parse_box_view(golden::text_of("domains/view-not-eligible.json"))) == BoxView{});
}

TEST_CASE("golden/domains-file: the claims an edge keeps") {
    golden::check("domains-file/two.json", domains_file::render(claims_of(table())));
    golden::check("domains-file/none.json", domains_file::render({}));
    CHECK(domains_file::load(golden::path_of("domains-file/two.json")).value() ==
          claims_of(table()));
    CHECK(domains_file::load(golden::path_of("domains-file/none.json")).value()->empty());
}

TEST_CASE("golden/vouched: one box that is ready and one that is not") {
    VouchList list;
    list.sellers = {{label("mattbox"), {voucher().account_id, true, voucher().box_uuid}},
                    {label("zoe"), {sound(AccountId::parse("acct_2")), false, std::nullopt}}};
    golden::check("vouched/two.json", vouch_file::render(list));
    CHECK(vouch_file::load(golden::path_of("vouched/two.json")).value() == list);
}

TEST_CASE("golden/public-names: the domains a box can be reached under") {
    const std::vector<CustomDomain> domains{domain("cloud.example.org"), domain("www.example.net")};
    golden::check("public-names/two.json", public_names_file::render(domains));
    CHECK(public_names_file::load(golden::path_of("public-names/two.json")).value() == domains);
}

TEST_CASE("golden/traefik: a box with a name in the zone and a domain of its own") {
    const RowId id = row_id("mattbox");
    const RouterTls tls{"le", std::nullopt};
    golden::check(
        "traefik/domains.yml",
        *render_traefik(
            {{id, name("mattbox.losos.example"), port(20000), tls},
             {id, name("4bc6f6e69a9f040f.losos.example"), port(20000), tls, RouterKind::further},
             {id, name("cloud.example.org"), port(20000), tls, RouterKind::further}}));
}
