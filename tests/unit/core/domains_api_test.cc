#include "core/domains_api.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

constexpr Instant k_now{MonotonicTime{5'000'000}, UnixTime{1'800'000'000}};

ZonePlace place() {
    return {name("losos.example"), {address("192.0.2.7"), address("2001:db8::7")}};
}

/// One live domain, one that waits, and another box's.
DomainTable table() {
    DomainTable table;
    const auto one = voucher();
    for (const auto* text : {"www.example.org", "cloud.example.org"}) {
        add_domain(table, label("anna"), text, &one, {}, {}, k_now);
    }
    add_domain(table, label("ben"), "ben.example.org", &one, {}, {}, k_now);
    take_check(table, {label("anna"), domain("cloud.example.org"), one}, k_right, {}, {}, k_now);
    take_check(table, {label("anna"), domain("www.example.org"), one}, k_no_proof, {}, {}, k_now);
    return table;
}

DomainsView view() {
    const auto one = voucher();
    return view_domains(table(), label("anna"), &one, place(), {}, {});
}

} // namespace

TEST_CASE("a call names its box, and a domain where it is about one") {
    const auto call = sound(parse_domains_call(
        DomainsAction::add, R"({"appliance_id": "anna", "token": "t", "domain": "a.b", "x": 1})"));
    CHECK(call.appliance_id == "anna");
    CHECK(call.domain == "a.b");
    CHECK(sound(parse_domains_call(DomainsAction::list, R"({"appliance_id": "a", "token": "t",
                                                            "domain": 7})"))
              .domain.empty());
    const auto nameless =
        parse_domains_call(DomainsAction::remove, R"({"appliance_id": "a", "token": "geheim"})");
    REQUIRE_FALSE(nameless.has_value());
    CHECK(nameless.error().what.find("\"domain\"") != std::string::npos);
    CHECK(nameless.error().what.find("geheim") == std::string::npos);
}

TEST_CASE("a call is read as it is written") {
    const auto action = GENERATE(DomainsAction::list, DomainsAction::add, DomainsAction::remove);
    const DomainsCall call{action, "anna", "t\"oken",
                           action == DomainsAction::list ? "" : "cloud.example.org"};
    const auto again = sound(parse_domains_call(action, render_domains_call(call)));
    CHECK(again.appliance_id == call.appliance_id);
    CHECK(again.token == call.token);
    CHECK(again.domain == call.domain);
}

TEST_CASE("a box sees its own domains in order, with all it needs to put them right") {
    const auto seen = view();
    CHECK(seen.eligible);
    CHECK(seen.reason == std::nullopt);
    CHECK(seen.target == name("4bc6f6e69a9f040f.losos.example"));
    CHECK(seen.addresses == place().addresses);
    CHECK(seen.max_domains == 5);
    REQUIRE(seen.domains.size() == 2);
    CHECK(seen.domains[0].domain == domain("cloud.example.org"));
    CHECK(seen.domains[0].status == ClaimStatus::live);
    CHECK(seen.domains[0].verified_at == k_now.unix);
    CHECK(seen.domains[0].txt_name == "_losos-challenge.cloud.example.org");
    CHECK(seen.domains[0].txt_value == "losos-domain-v1=684bfc3e38aa88bfa7bb7b9fe279d01b");
    CHECK(seen.domains[1].problem == DomainProblem::txt_missing);
    CHECK(seen.domains[1].points_here);
}

TEST_CASE("a box nobody vouches for sees why, and what it keeps") {
    auto mine = table();
    follow_vouchers(mine, {}, k_now);
    const auto seen = view_domains(mine, label("anna"), nullptr, place(), {}, {});
    CHECK_FALSE(seen.eligible);
    CHECK(seen.reason.has_value());
    CHECK(seen.target == std::nullopt);
    REQUIRE(seen.domains.size() == 2);
    for (const auto& entry : seen.domains) {
        CHECK(entry.status == ClaimStatus::waiting);
        CHECK(entry.problem == DomainProblem::stripe_account);
    }
}

TEST_CASE("a live domain whose name a tenant has shows it") {
    const auto one = voucher();
    const auto seen =
        view_domains(table(), label("anna"), &one, place(), {"cloud.example.org"}, {});
    CHECK(seen.domains[0].status == ClaimStatus::live);
    CHECK(seen.domains[0].problem == DomainProblem::taken_elsewhere);
    CHECK(seen.domains[1].problem == DomainProblem::txt_missing);
}

TEST_CASE("a view shows what it has not as null, and no pass where there is none") {
    DomainsView bare;
    bare.reason = "nobody vouches for this box";
    CHECK(render_domains_view(view()).find("relay_pass") == std::string::npos);
    CHECK(render_domains_view(bare).find(R"("target":null)") != std::string::npos);
    bare.relay_pass = pass("500000");
    CHECK(render_domains_view(bare).find(R"("relay_pass":"v1.500000.)") != std::string::npos);
}
