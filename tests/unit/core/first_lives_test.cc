#include "core/first_lives.h"

#include "unit/core/domain_world.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;
using namespace losos::domain_world;

namespace {

/// Asks for a name, proves it, and takes it back.
bool goes_live(Edge& edge, FirstLives& lives, std::string_view box, const std::string& text,
               Instant now) {
    edge.add(box, text, now);
    const auto status = take_check(edge.table, {label(box), domain(text), edge.one}, k_right,
                                   edge.hostnames, edge.rules, now, &lives);
    remove_domain(edge.table, label(box), text);
    return status == ClaimStatus::live;
}

} // namespace

TEST_CASE("twenty new names of a box go live within a day, and another box's are its own") {
    Edge edge;
    FirstLives lives;
    for (int number = 0; number < 20; ++number) {
        CHECK(goes_live(edge, lives, "anna", numbered(number), later(number * k_second)));
    }
    CHECK_FALSE(goes_live(edge, lives, "anna", numbered(20), later(20 * k_second)));
    CHECK(goes_live(edge, lives, "ben", numbered(20), later(20 * k_second)));
    CHECK_FALSE(goes_live(edge, lives, "anna", numbered(21), later(k_day - k_second)));
    CHECK(goes_live(edge, lives, "anna", numbered(21), later(k_day)));
    CHECK_FALSE(goes_live(edge, lives, "anna", numbered(22), later(k_day)));
}

TEST_CASE("a name that has to wait for its turn shows no problem, and goes live by itself") {
    Edge edge;
    FirstLives lives;
    for (std::size_t number = 0; number < k_first_lives_max; ++number) {
        lives.add(label("anna"), k_now.monotonic);
    }
    edge.add("anna", "cloud.example.org");
    const DomainCheck check{label("anna"), domain("cloud.example.org"), edge.one};
    const auto look = [&](Instant now) {
        return take_check(edge.table, check, k_right, edge.hostnames, edge.rules, now, &lives);
    };
    CHECK(look(k_now) == std::nullopt);
    const auto& claim = edge.at("anna", "cloud.example.org").claim;
    CHECK(claim.status == ClaimStatus::waiting);
    CHECK(claim.problem == std::nullopt);
    CHECK((claim.txt_found && claim.points_here));
    CHECK(claim.verified_at == std::nullopt);
    CHECK(edge.at("anna", "cloud.example.org").due == k_now.monotonic + edge.rules.check_waiting);
    CHECK(look(later(k_day)) == ClaimStatus::live);
}

TEST_CASE("a name that was live before comes back whatever the box had of late") {
    Edge edge;
    FirstLives lives;
    edge.add("anna", "cloud.example.org");
    const DomainCheck check{label("anna"), domain("cloud.example.org"), edge.one};
    const auto look = [&](const DomainFinding& finding) {
        return take_check(edge.table, check, finding, edge.hostnames, edge.rules, k_now, &lives);
    };
    CHECK(look(k_right) == ClaimStatus::live);
    for (std::size_t number = 0; number < k_first_lives_max; ++number) {
        lives.add(label("anna"), k_now.monotonic);
    }
    look(k_no_proof);
    look(k_no_proof);
    CHECK(look(k_no_proof) == ClaimStatus::waiting);
    CHECK(look(k_right) == ClaimStatus::live);
}
