#include "core/edge_choice.h"

#include "unit/core/path_world.h"

#include <set>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const EdgeWay k_way = lan_way("gw.local", "192.168.1.2");
const LanEdge k_edge = lan_edge("gw.local", {"192.168.1.2"});
const EdgeWay k_zoe = lan_way("zoe.local", "192.168.1.3");
const LanEdge k_zoe_edge = lan_edge("zoe.local", {"192.168.1.3"});

EdgeTable table_with(const std::vector<LanEdge>& edges) {
    EdgeTable table(at(0));
    table.configure(hub_way(), "edge.example");
    table.set_lan(edges, std::nullopt, at(0));
    table.set_search(LanSearch::done, at(0));
    return table;
}

void answer(EdgeTable& table, const EdgeWay& way, ProbeResult result, long long ms) {
    table.probe_sent(way, at(ms));
    table.probed(way, result, at(ms), at(ms + 1));
}

void prove(EdgeTable& table, const EdgeWay& way, long long ms) {
    for (int i = 0; i < k_proof_probes; ++i) {
        answer(table, way, ProbeResult::ok, ms + 300LL * i);
    }
}

void kill(EdgeTable& table, const EdgeWay& way, long long ms) {
    const auto step = patience_with(way.source).leave_after.count() / 2;
    for (int i = 0; i < 3; ++i) {
        answer(table, way, ProbeResult::no_answer, ms + step * i);
    }
}

EdgeChoice choose(const EdgeTable& table, const std::optional<EdgeWay>& current, long long ms) {
    return choose_edge(table, current, Beginning::later, at(ms));
}

} // namespace

TEST_CASE("core/edge_choice: at the start the LAN edge that answers first is taken at once") {
    auto table = table_with({k_edge, k_zoe_edge});
    answer(table, hub_way(), ProbeResult::ok, 1);
    answer(table, k_zoe, ProbeResult::ok, 5);
    answer(table, k_way, ProbeResult::ok, 6);
    const auto choice = choose_edge(table, std::nullopt, Beginning::first_choice, at(10));
    CHECK(choice == EdgeChoice{k_zoe, ChoiceReason::first_lan_edge, std::nullopt});
}

TEST_CASE("core/edge_choice: the configured edge waits for the first search, two seconds at most") {
    EdgeTable table(at(0));
    table.configure(hub_way(), "edge.example");
    answer(table, hub_way(), ProbeResult::ok, 1);
    const auto first = [&table](long long ms) {
        return choose_edge(table, std::nullopt, Beginning::first_choice, at(ms));
    };
    CHECK(first(1999).reason == ChoiceReason::searching);
    CHECK(first(2000) == EdgeChoice{hub_way(), ChoiceReason::no_lan_edge, std::nullopt});
    CHECK(choice_due(table, std::nullopt, Beginning::first_choice, at(5)) == at(2000));

    table.set_lan({k_edge}, std::nullopt, at(100));
    table.set_search(LanSearch::done, at(100));
    CHECK(first(101).reason == ChoiceReason::searching);
    answer(table, k_way, ProbeResult::no_answer, 110);
    CHECK(first(111).reason == ChoiceReason::no_lan_edge);
}

TEST_CASE("core/edge_choice: without Avahi the configured edge is taken at once") {
    EdgeTable table(at(0));
    table.configure(hub_way(), "edge.example");
    table.set_search(LanSearch::unavailable, at(0));
    answer(table, hub_way(), ProbeResult::ok, 1);
    CHECK(choose_edge(table, std::nullopt, Beginning::first_choice, at(2)).way == hub_way());
}

TEST_CASE(
    "core/edge_choice: a configured edge that was never asked is no reason to stop the units") {
    auto table = table_with({});
    const auto first = [&](long long ms) {
        return choose_edge(table, std::nullopt, Beginning::first_choice, at(ms)).reason;
    };
    table.probe_sent(hub_way(), at(0));
    CHECK(first(2900) == ChoiceReason::searching);
    table.probed(hub_way(), ProbeResult::no_answer, at(0), at(3000));
    CHECK(first(3000) == ChoiceReason::none_answers);
}

TEST_CASE("core/edge_choice: nobody answers") {
    const auto table = table_with({k_edge});
    CHECK(choose(table, std::nullopt, 5000) ==
          EdgeChoice{std::nullopt, ChoiceReason::none_answers, std::nullopt});
}

TEST_CASE("core/edge_choice: a LAN edge must prove itself before it replaces the configured one") {
    auto table = table_with({k_edge});
    answer(table, hub_way(), ProbeResult::ok, 1);
    for (int i = 0; i < k_proof_probes; ++i) {
        CHECK(choose(table, hub_way(), 300 * i).reason == ChoiceReason::kept);
        answer(table, k_way, ProbeResult::ok, 300 * i);
    }
    CHECK(choose(table, hub_way(), 1201) ==
          EdgeChoice{k_way, ChoiceReason::better_lan_edge, LeaveReason::outdone});
}

TEST_CASE("core/edge_choice: a chosen LAN edge is kept, whatever else the LAN has") {
    auto table = table_with({k_edge, k_zoe_edge});
    prove(table, k_zoe, 0);
    prove(table, k_way, 5000);
    CHECK(choose(table, k_way, 10'000) == EdgeChoice{k_way, ChoiceReason::kept, std::nullopt});
    answer(table, k_way, ProbeResult::no_answer, 10'000);
    CHECK(choose(table, k_way, 10'001) ==
          EdgeChoice{k_way, ChoiceReason::kept_in_doubt, std::nullopt});
}

TEST_CASE("core/edge_choice: a dead LAN edge is followed by another, then by the configured one") {
    auto table = table_with({k_edge, k_zoe_edge});
    answer(table, hub_way(), ProbeResult::ok, 0);
    prove(table, k_way, 0);
    prove(table, k_zoe, 0);
    kill(table, k_way, 10'000);
    CHECK(choose(table, k_way, 11'000) ==
          EdgeChoice{k_zoe, ChoiceReason::first_lan_edge, LeaveReason::silent});
    kill(table, k_zoe, 12'000);
    CHECK(choose(table, k_zoe, 13'000) ==
          EdgeChoice{hub_way(), ChoiceReason::no_lan_edge, LeaveReason::silent});
    kill(table, hub_way(), 14'000);
    CHECK(choose(table, hub_way(), 18'000) ==
          EdgeChoice{std::nullopt, ChoiceReason::none_answers, LeaveReason::silent});
}

TEST_CASE("core/edge_choice: an edge that answers wrongly is left like one that is silent") {
    auto table = table_with({k_edge});
    prove(table, k_way, 0);
    for (const long long ms : {5000, 5400, 5800}) {
        answer(table, k_way, ProbeResult::wrong_answer, ms);
    }
    CHECK(choose(table, k_way, 5801).left == LeaveReason::wrong_answer);
}

TEST_CASE("core/edge_choice: the other way to the same edge comes before everybody else") {
    auto table = table_with({k_zoe_edge, lan_edge("gw.local", {"192.168.1.2", "fd00::2"})});
    REQUIRE(table.edges()[2].ways.size() == 2);
    const auto by_v6 = table.edges()[2].ways[1].way;
    prove(table, k_zoe, 0);
    prove(table, k_way, 2000);
    answer(table, by_v6, ProbeResult::ok, 5000);
    kill(table, k_way, 10'000);
    CHECK(choose(table, k_way, 11'000) ==
          EdgeChoice{by_v6, ChoiceReason::other_way, LeaveReason::silent});
}

TEST_CASE("core/edge_choice: a missing advert is borne for ten seconds, and not by newcomers") {
    auto table = table_with({k_edge});
    prove(table, k_way, 0);
    answer(table, hub_way(), ProbeResult::ok, 0);
    table.set_lan({}, k_way, at(20'000));
    CHECK(choose(table, k_way, 29'999) ==
          EdgeChoice{k_way, ChoiceReason::kept_without_advert, std::nullopt});
    CHECK(choice_due(table, k_way, Beginning::later, at(20'000)) == at(30'000));
    CHECK(choose(table, k_way, 30'000) ==
          EdgeChoice{hub_way(), ChoiceReason::no_lan_edge, LeaveReason::advert_gone});
    CHECK(choose(table, hub_way(), 20'001).way == hub_way());
}

TEST_CASE(
    "core/edge_choice: without Avahi a known edge is kept, and found, as long as it answers") {
    auto table = table_with({k_edge});
    prove(table, k_way, 0);
    table.set_search(LanSearch::unavailable, at(10'000));
    CHECK(choose(table, k_way, 999'000) ==
          EdgeChoice{k_way, ChoiceReason::kept_without_avahi, std::nullopt});
    CHECK(choose(table, hub_way(), 999'000).way == k_way);
}

TEST_CASE("core/edge_choice: an edge that is no use is left at once, and says why") {
    const std::vector<std::pair<int, LeaveReason>> cases{{401, LeaveReason::refused},
                                                         {503, LeaveReason::busy}};
    for (const auto& [status, reason] : cases) {
        auto table = table_with({k_edge});
        prove(table, k_way, 0);
        answer(table, hub_way(), ProbeResult::ok, 0);
        table.set_refusals({{k_way.url, status, UnixTime(5)}}, UnixTime(5), at(5000));
        CHECK(choose(table, k_way, 5000) ==
              EdgeChoice{hub_way(), ChoiceReason::no_lan_edge, reason});
        CHECK(choose(table, hub_way(), 6000).reason == ChoiceReason::kept);
    }
    auto table = table_with({k_edge});
    prove(table, k_way, 0);
    table.tunnel_answered(k_way, false, at(5000), at(5000));
    table.tunnel_answered(k_way, false, at(35'000), at(35'000));
    CHECK(choose(table, k_way, 35'000).left == LeaveReason::no_tunnel);
}

TEST_CASE("core/edge_choice: a way that nobody knows any more is left") {
    auto table = table_with({});
    answer(table, hub_way(), ProbeResult::ok, 0);
    CHECK(choose(table, k_way, 5000) ==
          EdgeChoice{hub_way(), ChoiceReason::no_lan_edge, LeaveReason::unknown});
}

TEST_CASE("core/edge_choice: the order of the adverts makes no difference among equals") {
    for (const auto& edges : {std::vector<LanEdge>{k_edge, k_zoe_edge}, {k_zoe_edge, k_edge}}) {
        auto table = table_with(edges);
        answer(table, k_zoe, ProbeResult::ok, 5);
        answer(table, k_way, ProbeResult::ok, 5);
        CHECK(choose(table, std::nullopt, 10).way == k_way);
    }
}

TEST_CASE("core/edge_choice: every reason has a sentence of its own") {
    std::set<std::string_view> sentences;
    int count = 0;
    for (int i = 0; i <= static_cast<int>(ChoiceReason::none_answers); ++i, ++count) {
        sentences.insert(describe(static_cast<ChoiceReason>(i)));
    }
    for (int i = 0; i <= static_cast<int>(LeaveReason::unknown); ++i, ++count) {
        sentences.insert(describe(static_cast<LeaveReason>(i)));
    }
    CHECK(sentences.size() == static_cast<std::size_t>(count));
    CHECK(sentences.count("") == 0);
    CHECK(explain({hub_way(), ChoiceReason::no_lan_edge, LeaveReason::silent}) ==
          "it answers, and no edge on the LAN can be used; the one before was left: it no longer "
          "answers");
}
