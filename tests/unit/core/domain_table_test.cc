#include "core/domain_table.h"

#include "unit/core/domain_world.h"

#include "support/catch.h"

#include <algorithm>
#include <set>

using namespace losos;
using namespace losos::make;
using namespace losos::domain_world;

TEST_CASE("a domain is added once; again it is already one's own") {
    Edge edge;
    CHECK(edge.add("anna", "Cloud.example.org.") == DomainAddition::added);
    CHECK(edge.add("anna", "cloud.example.org") == DomainAddition::already_own);
    CHECK(edge.table.size() == 1);
    CHECK(edge.at("anna", "cloud.example.org").due == k_now.monotonic);
}

TEST_CASE("what a box may not have is refused, and leaves nothing behind") {
    Edge edge;
    CHECK(edge.add("anna", "localhost") == DomainAddition::not_a_domain);
    CHECK(edge.add("anna", "losos.example") == DomainAddition::own_name);
    CHECK(edge.add("anna", "a.b.LOSOS.example.") == DomainAddition::own_name);
    CHECK(edge.add("anna", "anna.test") == DomainAddition::hostname_held);
    CHECK(edge.add("anna", "Box.Acme.test") == DomainAddition::hostname_held);
    const auto nobody = add_domain(edge.table, label("anna"), "cloud.example.org", nullptr,
                                   edge.hostnames, edge.rules, k_now);
    CHECK(nobody.what == DomainAddition::not_vouched);
    CHECK(edge.table.empty());
    const auto odd = add_domain(edge.table, label("anna"), "*.example.org", &edge.one,
                                edge.hostnames, edge.rules, k_now);
    CHECK(odd.fault.find("wildcard") != std::string::npos);
}

TEST_CASE("a box has five domains, and one of its own again is no sixth") {
    Edge edge;
    for (int i = 0; i < 5; ++i) {
        CHECK(edge.add("anna", numbered(i)) == DomainAddition::added);
    }
    CHECK(edge.add("anna", numbered(5)) == DomainAddition::box_full);
    CHECK(edge.add("anna", numbered(0)) == DomainAddition::already_own);
    CHECK(edge.add("ben", numbered(5)) == DomainAddition::added);
    CHECK(remove_domain(edge.table, label("anna"), "D0.example.org."));
    CHECK(edge.add("anna", numbered(5)) == DomainAddition::added);
}

TEST_CASE("an edge has two thousand") {
    Edge edge;
    for (int i = 0; i < 2000; ++i) {
        REQUIRE(edge.add("b" + std::to_string(i / 5), numbered(i)) == DomainAddition::added);
    }
    CHECK(edge.add("last", "cloud.example.org") == DomainAddition::edge_full);
    CHECK(edge.add("b0", numbered(0)) == DomainAddition::already_own);
    CHECK(remove_domain(edge.table, label("b1"), numbered(5)));
    CHECK(edge.add("last", "cloud.example.org") == DomainAddition::added);
}

TEST_CASE("only one's own claim is removed") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    CHECK_FALSE(remove_domain(edge.table, label("ben"), "cloud.example.org"));
    CHECK_FALSE(remove_domain(edge.table, label("anna"), "other.example.org"));
    CHECK_FALSE(remove_domain(edge.table, label("anna"), "*"));
    CHECK(edge.table.size() == 1);
    CHECK(remove_domain(edge.table, label("anna"), "cloud.example.org"));
    CHECK(edge.table.empty());
}

TEST_CASE("many may wait for a domain, one has it live, and then nobody else may ask") {
    Edge edge;
    for (int i = 0; i < 64; ++i) {
        CHECK(edge.add("b" + std::to_string(i), "cloud.example.org") == DomainAddition::added);
    }
    CHECK(edge.check("b7", "cloud.example.org", k_right) == ClaimStatus::live);
    CHECK(edge.check("b8", "cloud.example.org", k_right) == std::nullopt);
    CHECK(edge.at("b8", "cloud.example.org").claim.problem == DomainProblem::taken_elsewhere);
    CHECK(edge.add("late", "cloud.example.org") == DomainAddition::taken);
    CHECK(edge.served("b7").size() == 1);
    CHECK(served_domains(edge.table, edge.hostnames, edge.rules).size() == 1);
    remove_domain(edge.table, label("b7"), "cloud.example.org");
    CHECK(edge.check("b8", "cloud.example.org", k_right) == ClaimStatus::live);
}

TEST_CASE("a live domain whose name a tenant takes is off, and back when the tenant goes") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    edge.check("anna", "cloud.example.org", k_right);
    CHECK(edge.served("anna") == std::vector{name("cloud.example.org")});
    edge.hostnames.insert("cloud.example.org");
    CHECK(edge.served("anna").empty());
    CHECK(edge.at("anna", "cloud.example.org").claim.status == ClaimStatus::live);
    CHECK(is_taken_elsewhere(edge.table, edge.at("anna", "cloud.example.org").claim, edge.hostnames,
                             edge.rules));
    edge.hostnames.erase("cloud.example.org");
    CHECK(edge.served("anna").size() == 1);
}

TEST_CASE("a claim that waits does not become live over a tenant's name") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    edge.hostnames.insert("cloud.example.org");
    CHECK(edge.check("anna", "cloud.example.org", k_right) == std::nullopt);
    CHECK(edge.served("anna").empty());
}

TEST_CASE("a waiting claim is looked up every 30 seconds, a live one hourly") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    CHECK(plan_checks(edge.table, {}, k_now.monotonic).size() == 1);
    edge.check("anna", "cloud.example.org", k_no_proof);
    CHECK(plan_checks(edge.table, {}, later(29 * k_second).monotonic).empty());
    CHECK(plan_checks(edge.table, {}, later(30 * k_second).monotonic).size() == 1);
    CHECK(next_domain_due(edge.table, {}) == later(30 * k_second).monotonic);
    edge.check("anna", "cloud.example.org", k_right);
    CHECK(plan_checks(edge.table, {}, later(3599 * k_second).monotonic).empty());
    CHECK(plan_checks(edge.table, {}, later(3600 * k_second).monotonic).size() == 1);
    CHECK(next_domain_due(edge.table, {}) == later(3600 * k_second).monotonic);
}

TEST_CASE(
    "a pass takes sixteen claims, those that wait longest first, and everybody's turn comes") {
    Edge edge;
    for (int i = 0; i < 100; ++i) {
        edge.add("b" + std::to_string(i / 5), numbered(i));
    }
    std::set<CustomDomain> seen;
    for (int pass = 0; pass < 7; ++pass) {
        const auto now = later(pass * k_second);
        const auto checks = plan_checks(edge.table, {}, now.monotonic);
        CHECK(checks.size() <= 16);
        for (const auto& check : checks) {
            CHECK(seen.insert(check.domain).second);
            take_check(edge.table, check, k_no_proof, edge.hostnames, edge.rules, now);
        }
    }
    CHECK(seen.size() == 100);
}

TEST_CASE("claims whose servers hang take four places of a pass, and keep them") {
    Edge edge;
    for (int i = 0; i < 40; ++i) {
        edge.add("b" + std::to_string(i / 5), numbered(i));
    }
    for (int i = 0; i < 20; ++i) {
        edge.check("b" + std::to_string(i / 5), numbered(i), k_silence);
    }
    for (int i = 20; i < 40; ++i) {
        edge.check("b" + std::to_string(i / 5), numbered(i), k_no_proof, later(k_second));
    }
    const auto checks = plan_checks(edge.table, {}, later(k_day).monotonic);
    REQUIRE(checks.size() == 16);
    const auto slow = std::count_if(checks.begin(), checks.end(), [&](const DomainCheck& check) {
        return edge.table.at({check.domain, check.box}).claim.problem ==
               DomainProblem::lookup_failed;
    });
    CHECK(slow == 4);
}

TEST_CASE("sixteen claims at most are looked up at a time, and none of them twice") {
    Edge edge;
    for (int i = 0; i < 40; ++i) {
        edge.add("b" + std::to_string(i / 5), numbered(i));
    }
    ClaimsInFlight in_flight;
    const auto begin = [&] {
        const auto checks = plan_checks(edge.table, in_flight, k_now.monotonic);
        for (const auto& check : checks) {
            CHECK(in_flight.emplace(check.domain, check.box).second);
        }
        return checks.size();
    };
    CHECK(begin() == 16);
    CHECK(begin() == 0);
    CHECK(next_domain_due(edge.table, in_flight) == later(7 * k_day).monotonic);
    in_flight.erase(in_flight.begin());
    CHECK(next_domain_due(edge.table, in_flight) == k_now.monotonic);
    CHECK(begin() == 1);
    ClaimsInFlight all;
    for (const auto& [key, _] : edge.table) {
        all.insert(key);
    }
    CHECK(next_domain_due(edge.table, all) == later(7 * k_day).monotonic);
    CHECK(plan_checks(edge.table, all, k_now.monotonic).empty());
}

TEST_CASE("while four hang no fifth that hung before is looked up, and all the others are") {
    Edge edge;
    ClaimsInFlight in_flight;
    for (int i = 0; i < 10; ++i) {
        edge.add("b" + std::to_string(i / 5), numbered(i));
        edge.check("b" + std::to_string(i / 5), numbered(i), k_silence);
    }
    const auto now = later(k_day).monotonic;
    for (const auto& check : plan_checks(edge.table, in_flight, now)) {
        in_flight.emplace(check.domain, check.box);
    }
    CHECK(in_flight.size() == 4);
    CHECK(plan_checks(edge.table, in_flight, now).empty());
    // Nobody looks again before there is a place: the wait goes by first.
    CHECK(next_domain_due(edge.table, in_flight) == later(7 * k_day).monotonic);
    edge.add("good", "cloud.example.org");
    CHECK(plan_checks(edge.table, in_flight, now) ==
          std::vector{DomainCheck{label("good"), domain("cloud.example.org"), edge.one}});
}

TEST_CASE("a server that is silent on one of the questions is one that hangs") {
    using enum TxtFinding;
    const auto finding = GENERATE(DomainFinding{missing, PointingFinding::no_answer},
                                  DomainFinding{wrong, PointingFinding::no_answer},
                                  DomainFinding{no_answer, PointingFinding::elsewhere});
    Edge edge;
    for (int i = 0; i < 10; ++i) {
        edge.add("b" + std::to_string(i / 5), numbered(i));
        edge.check("b" + std::to_string(i / 5), numbered(i), finding);
    }
    CHECK(plan_checks(edge.table, {}, later(k_day).monotonic).size() == 4);
    edge.check("b0", numbered(0), k_no_proof);
    CHECK(plan_checks(edge.table, {}, later(k_day).monotonic).size() == 5);
}

TEST_CASE("a box that takes names back while they are looked up gets no more places by it") {
    Edge edge;
    ClaimsInFlight in_flight;
    for (int i = 0; i < 5; ++i) {
        edge.add("anna", numbered(i));
        in_flight.emplace(domain(numbered(i)), label("anna"));
        remove_domain(edge.table, label("anna"), numbered(i));
    }
    edge.add("anna", "cloud.example.org");
    CHECK(plan_checks(edge.table, in_flight, k_now.monotonic).empty());
    // Nobody looks again before there is a place.
    CHECK(next_domain_due(edge.table, in_flight) == later(7 * k_day).monotonic);
    edge.add("ben", "cloud.example.org");
    CHECK(plan_checks(edge.table, in_flight, k_now.monotonic).size() == 1);
    in_flight.erase(in_flight.begin());
    CHECK(next_domain_due(edge.table, in_flight) == k_now.monotonic);
    CHECK(plan_checks(edge.table, in_flight, k_now.monotonic).size() == 2);
}

TEST_CASE("a check counts only for the claim and voucher it was made for") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    const DomainCheck check{label("anna"), domain("cloud.example.org"), edge.one};
    remove_domain(edge.table, label("anna"), "cloud.example.org");
    CHECK(take_check(edge.table, check, k_right, edge.hostnames, edge.rules, k_now) ==
          std::nullopt);
    CHECK(edge.table.empty());
    edge.add("anna", "cloud.example.org");
    follow_vouchers(edge.table, {{label("anna"), voucher(k_other_uuid)}}, k_now);
    CHECK(take_check(edge.table, check, k_right, edge.hostnames, edge.rules, k_now) ==
          std::nullopt);
    follow_vouchers(edge.table, {}, k_now);
    CHECK(edge.check("anna", "cloud.example.org", k_right) == std::nullopt);
    CHECK(edge.at("anna", "cloud.example.org").claim.status == ClaimStatus::waiting);
}

TEST_CASE("a box that is no longer vouched for loses its domains at once and is not looked up") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    edge.add("ben", "other.example.org");
    edge.check("anna", "cloud.example.org", k_right);
    edge.check("ben", "other.example.org", k_right);
    const Vouchers both{{label("anna"), edge.one}, {label("ben"), edge.one}};
    CHECK(follow_vouchers(edge.table, both, k_now).empty());
    CHECK(follow_vouchers(edge.table, {{label("ben"), edge.one}}, k_now) ==
          std::vector{domain("cloud.example.org")});
    CHECK(edge.served("anna").empty());
    CHECK(edge.served("ben").size() == 1);
    CHECK(plan_checks(edge.table, {}, k_now.monotonic).empty());
    CHECK(vouchers_in(edge.table) == Vouchers{{label("ben"), edge.one}});
    CHECK(follow_vouchers(edge.table, both, k_now).empty());
    CHECK(plan_checks(edge.table, {}, k_now.monotonic).size() == 1);
    CHECK(edge.check("anna", "cloud.example.org", k_right) == ClaimStatus::live);
}

TEST_CASE("who is in no list is not eligible, whoever vouches") {
    const auto roster = merge_roster(
        {{{label("anna"), name("anna.example"), "/t", false, false, std::nullopt}, std::nullopt}},
        {});
    const Vouchers all{{label("anna"), voucher()}, {label("ben"), voucher()}};
    CHECK(eligible_among(all, roster) == Vouchers{{label("anna"), voucher()}});
}

TEST_CASE("a claim waits for seven days, from its start and from when it lapsed") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    edge.add("anna", "live.example.org");
    edge.check("anna", "live.example.org", k_right);
    CHECK(drop_overdue(edge.table, later(7 * k_day - Duration(1)).monotonic).empty());
    const auto dropped = drop_overdue(edge.table, later(7 * k_day).monotonic);
    REQUIRE(dropped.size() == 1);
    CHECK(dropped[0].domain == domain("cloud.example.org"));
    for (int i = 0; i < 3; ++i) {
        edge.check("anna", "live.example.org", k_no_proof, later(8 * k_day));
    }
    CHECK(drop_overdue(edge.table, later(14 * k_day).monotonic).empty());
    CHECK(drop_overdue(edge.table, later(15 * k_day).monotonic).size() == 1);
    CHECK(edge.table.empty());
}

TEST_CASE("what remains goes on after a restart, and is never more than a whole term") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    edge.add("anna", "live.example.org");
    edge.check("anna", "live.example.org", k_right);
    const auto stored = claims_of(edge.table);

    const Instant soon{MonotonicTime{100}, k_now.unix + UnixTime(600)};
    auto table = restore_domains(stored, edge.rules, soon);
    CHECK(claims_of(table) == stored);
    const auto& live = table.at({domain("live.example.org"), label("anna")});
    const auto& waiting = table.at({domain("cloud.example.org"), label("anna")});
    CHECK(live.due == soon.monotonic + Duration(3'000'000));
    CHECK(waiting.due == soon.monotonic);
    CHECK(waiting.dropped_at == soon.monotonic + 7 * k_day - Duration(600'000));

    const Instant before_it_all{MonotonicTime{100}, UnixTime{0}};
    table = restore_domains(stored, edge.rules, before_it_all);
    CHECK(table.at({domain("live.example.org"), label("anna")}).due ==
          MonotonicTime{100} + Duration(3'600'000));
    CHECK(table.at({domain("cloud.example.org"), label("anna")}).dropped_at ==
          MonotonicTime{100} + 7 * k_day);

    const Instant much_later{MonotonicTime{100}, UnixTime{9'000'000'000'000'000}};
    table = restore_domains(stored, edge.rules, much_later);
    CHECK(table.at({domain("live.example.org"), label("anna")}).due == MonotonicTime{100});
    CHECK(drop_overdue(table, MonotonicTime{100}).size() == 1);
    CHECK(table.size() == 1);
}

TEST_CASE("of two live claims to one domain in a file one waits") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    edge.check("anna", "cloud.example.org", k_right);
    auto stored = claims_of(edge.table);
    stored.push_back(stored[0]);
    stored[1].box = label("ben");
    const auto table = restore_domains(stored, edge.rules, k_now);
    CHECK(table.at({domain("cloud.example.org"), label("anna")}).claim.status == ClaimStatus::live);
    CHECK(table.at({domain("cloud.example.org"), label("ben")}).claim.status ==
          ClaimStatus::waiting);
}

TEST_CASE("that a claim was looked up in vain once more is not worth a write") {
    Edge edge;
    edge.add("anna", "cloud.example.org");
    CHECK_FALSE(are_stored_as(edge.table, {}));
    edge.check("anna", "cloud.example.org", k_no_proof);
    const auto stored = claims_of(edge.table);
    edge.check("anna", "cloud.example.org", k_no_proof, later(30 * k_second));
    CHECK(are_stored_as(edge.table, stored));
    edge.check("anna", "cloud.example.org", k_right, later(60 * k_second));
    CHECK_FALSE(are_stored_as(edge.table, stored));
}

TEST_CASE("the names tenants have are those of the roster and of every row") {
    EdgeState state;
    state.roster = merge_roster(
        {{{label("acme"), name("acme.test"), "/t", false, false, std::nullopt}, std::nullopt}}, {});
    state.rows = {{row_id("acme.box"), {name("box.acme.test"), port(20000)}}};
    CHECK(hostnames_in(state) == HostnameSet{"acme.test", "box.acme.test"});
}
