// Who joins the mesh, and for how long its window is kept.
#include "core/edge_state.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

constexpr Instant k_now{MonotonicTime{5'000'000}, UnixTime{1'700'000'000}};
const ComputeWindow k_window{true, "22:00", "06:00", "Europe/Berlin"};

EdgeRules rules() {
    return {.ports = port_range("100-109"), .port_rest = Duration{120'000}, .reserved = {}};
}

ListedWithToken listed(std::string_view id, bool cluster) {
    return {{label(id), name(std::string(id) + ".example"), "/t", cluster, false, std::nullopt},
            token(id.front())};
}

EdgeState state() {
    return {merge_roster({listed("member", true), listed("plain", false)},
                         {{{label("first"), name("first.lan")}, token('f')}}),
            {},
            {},
            {}};
}

JoinOutcome join(EdgeState& state, const ClusterJoinCall& call) {
    const auto edge_rules = rules();
    EdgeBatch batch(state, edge_rules, k_now);
    return batch.join(call);
}

ClusterJoinCall call(const std::string& id, const ComputeWindow& window = k_window) {
    return {id, std::string(40, id.front()), id, window};
}

} // namespace

TEST_CASE("a member joins by its own id, and its last window counts") {
    auto edge = state();
    CHECK(join(edge, call("member", {})) == JoinOutcome::done);
    CHECK(join(edge, call("member")) == JoinOutcome::done);
    CHECK(edge.compute_windows == std::map<DnsLabel, ComputeWindow>{{label("member"), k_window}});
    CHECK(edge.rows.empty());
}

TEST_CASE("nobody else joins, and a join that is refused leaves nothing") {
    auto edge = state();
    CHECK(join(edge, call("nobody")) == JoinOutcome::unauthorized);
    CHECK(join(edge, call("plain")) == JoinOutcome::no_member);
    CHECK(join(edge, call("first")) == JoinOutcome::no_member);
    auto wrong = call("member");
    wrong.token = std::string(40, 'x');
    CHECK(join(edge, wrong) == JoinOutcome::unauthorized);
    auto other = call("member");
    other.node_name = "plain";
    CHECK(join(edge, other) == JoinOutcome::another_node);
    other.node_name = "MEMBER";
    CHECK(join(edge, other) == JoinOutcome::another_node);
    CHECK(edge.compute_windows.empty());
}

TEST_CASE("a window goes with the membership, and with the tenant") {
    auto edge = state();
    for (const auto* id : {"member", "plain", "first", "gone"}) {
        edge.compute_windows.emplace(label(id), k_window);
    }
    CHECK(drop_windows(edge) ==
          std::vector<DnsLabel>{label("first"), label("gone"), label("plain")});
    CHECK(edge.compute_windows.size() == 1);
    CHECK(edge.compute_windows.contains(label("member")));
    CHECK(drop_windows(edge).empty());
}

TEST_CASE("a member whose token file is faulty at the moment keeps its window") {
    auto edge = state();
    CHECK(join(edge, call("member")) == JoinOutcome::done);
    edge.roster.at(label("member")).token.reset();
    CHECK(drop_windows(edge).empty());
    CHECK(join(edge, call("member")) == JoinOutcome::unauthorized);
}
