#include "core/edge_table.h"

#include "unit/core/path_world.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;
using std::chrono::minutes;

namespace {

const EdgeWay k_way = lan_way("gw.local", "192.168.1.2");
const LanEdge k_edge = lan_edge("gw.local", {"192.168.1.2"});

EdgeTable table_with(const std::vector<LanEdge>& edges,
                     const std::optional<EdgeWay>& current = {}) {
    EdgeTable table(at(0));
    table.configure(hub_way(), "edge.example");
    table.set_lan(edges, current, at(0));
    return table;
}

std::optional<NoUse> ban(const EdgeTable& table, const EdgeWay& way, MonotonicTime now) {
    for (const EdgeRecord& edge : table.edges()) {
        for (const WayRecord& each : edge.ways) {
            if (each.way == way) {
                return ban_of(edge, each, now);
            }
        }
    }
    FAIL("no such way");
    return std::nullopt;
}

std::vector<LanEdge> crowd(int count) {
    std::vector<LanEdge> edges;
    for (int i = 0; i < count; ++i) {
        const auto host = "10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1);
        edges.push_back(lan_edge("edge" + std::to_string(i) + ".local", {host}));
    }
    return edges;
}

} // namespace

TEST_CASE("core/edge_table: what was learnt of a way outlives every new list of adverts") {
    auto table = table_with({k_edge});
    table.probe_sent(k_way, at(0));
    table.probed(k_way, ProbeResult::ok, at(0), at(2));
    table.set_lan({lan_edge("other.local", {"192.168.1.3"}), k_edge}, {}, at(1000));
    REQUIRE(table.find(k_way) != nullptr);
    CHECK(table.find(k_way)->health.is_usable());
    CHECK(table.find(k_way)->in_flight == 0);
    CHECK(table.edges().size() == 3);
}

TEST_CASE("core/edge_table: an advert that vanishes, and one that comes back, ask for a probe") {
    auto table = table_with({k_edge});
    table.probe_sent(k_way, at(0));
    CHECK_FALSE(table.find(k_way)->is_asked_for);
    table.set_lan({}, k_way, at(1000));
    CHECK(table.find(k_way)->is_asked_for);
    CHECK(table.edges()[1].missing_since == at(1000));
    table.set_lan({}, k_way, at(2000));
    CHECK(table.edges()[1].missing_since == at(1000));
    table.probe_sent(k_way, at(2000));
    table.set_lan({k_edge}, k_way, at(3000));
    CHECK(table.find(k_way)->is_asked_for);
    CHECK_FALSE(table.edges()[1].missing_since);
}

TEST_CASE("core/edge_table: a vanished edge is forgotten after ten minutes, unless it is in use") {
    auto table = table_with({k_edge});
    table.set_lan({}, {}, at(0));
    table.set_lan({}, {}, minutes(10) - Duration(1));
    CHECK(table.find(k_way) != nullptr);
    table.set_lan({}, k_way, minutes(11));
    CHECK(table.find(k_way) != nullptr);
    table.set_lan({}, {}, minutes(11));
    CHECK(table.find(k_way) == nullptr);
    CHECK(table.find(hub_way()) != nullptr);
}

TEST_CASE("core/edge_table: while Avahi is away nobody's advert is missing") {
    auto table = table_with({k_edge});
    table.set_lan({}, k_way, at(1000));
    table.set_search(LanSearch::unavailable, at(1100));
    CHECK_FALSE(table.edges()[1].missing_since);
    CHECK(table.was_searched());
    table.set_search(LanSearch::searching, at(60'000));
    table.set_lan({}, k_way, at(61'000));
    CHECK(table.edges()[1].missing_since == at(61'000));
}

TEST_CASE("core/edge_table: of many adverts the first 256 count, and known ones stay") {
    auto table = table_with({k_edge});
    auto many = crowd(400);
    many.push_back(k_edge);
    table.set_lan(many, {}, at(1000));
    CHECK(table.edges().size() == 1 + k_lan_edges_max);
    REQUIRE(table.find(k_way) != nullptr);
    CHECK_FALSE(table.edges()[1].missing_since);
}

TEST_CASE("core/edge_table: another key than the pinned one bars this way and no other") {
    auto table = table_with({lan_edge("gw.local", {"192.168.1.2", "192.168.1.66"})});
    const auto rogue = lan_way("gw.local", "192.168.1.66");
    table.probe_sent(rogue, at(0));
    table.probed(rogue, ProbeResult::wrong_key, at(0), at(5));
    CHECK(ban(table, rogue, at(5)) == NoUse::wrong_key);
    CHECK_FALSE(ban(table, k_way, at(5)));
    CHECK_FALSE(table.find(rogue)->health.is_usable());
    CHECK_FALSE(ban(table, rogue, at(5) + minutes(10)));
}

TEST_CASE("core/edge_table: announce's refusals bar the whole edge, each status as it means") {
    const std::vector<std::pair<int, std::optional<NoUse>>> cases{{401, NoUse::refused},
                                                                  {403, NoUse::refused},
                                                                  {409, NoUse::refused},
                                                                  {503, NoUse::busy},
                                                                  {404, std::nullopt}};
    for (const auto& [status, reason] : cases) {
        CAPTURE(status);
        auto table = table_with({lan_edge("gw.local", {"192.168.1.2", "fd00::2"})});
        table.set_refusals({{k_way.url, status, UnixTime(1000)}}, UnixTime(1001), at(50));
        CHECK(ban(table, k_way, at(50)) == reason);
        CHECK(ban(table, table.edges()[1].ways[1].way, at(50)) == reason);
    }
}

TEST_CASE("core/edge_table: a refusal counts once, a new one after the ban doubles it") {
    auto table = table_with({k_edge});
    const std::vector<AnnounceRefusal> first{{k_way.url, 401, UnixTime(1000)}};
    table.set_refusals(first, UnixTime(1000), at(0));
    table.set_refusals(first, UnixTime(1300), minutes(5));
    CHECK_FALSE(ban(table, k_way, minutes(10)));
    table.set_refusals(first, UnixTime(1600), minutes(10));
    CHECK_FALSE(ban(table, k_way, minutes(10)));
    table.set_refusals({{k_way.url, 401, UnixTime(1660)}}, UnixTime(1660), minutes(11));
    CHECK(ban(table, k_way, minutes(30)) == NoUse::refused);
    CHECK_FALSE(ban(table, k_way, minutes(31)));
}

TEST_CASE("core/edge_table: an old refusal counts no more, and one from the future does") {
    auto table = table_with({k_edge});
    table.set_refusals({{k_way.url, 401, UnixTime(1000)}}, UnixTime(1600), at(0));
    CHECK_FALSE(ban(table, k_way, at(0)));
    // The clock stepped back since announce wrote it.
    table.set_refusals({{k_way.url, 401, UnixTime(1'800'000'000)}}, UnixTime(1600), at(0));
    CHECK(ban(table, k_way, at(0)) == NoUse::refused);
}

TEST_CASE("core/edge_table: the configured edge is never barred") {
    auto table = table_with({});
    table.set_refusals({{hub_way().url, 401, UnixTime(1000)}}, UnixTime(1000), at(0));
    CHECK_FALSE(ban(table, hub_way(), at(0)));
}

TEST_CASE("core/edge_table: a tunnel port that is shut for thirty seconds bars its way") {
    auto table = table_with({k_edge});
    for (long long ms = 0; ms < 30'000; ms += 10'000) {
        table.tunnel_answered(k_way, false, at(ms), at(ms + 1));
        CHECK_FALSE(ban(table, k_way, at(ms + 1)));
    }
    table.tunnel_answered(k_way, false, at(30'000), at(30'001));
    CHECK(ban(table, k_way, at(30'001)) == NoUse::no_tunnel);
}

TEST_CASE("core/edge_table: one connection in between begins the thirty seconds anew") {
    auto table = table_with({k_edge});
    table.tunnel_answered(k_way, false, at(0), at(1));
    table.tunnel_answered(k_way, true, at(20'000), at(20'001));
    table.tunnel_answered(k_way, false, at(30'000), at(30'001));
    table.tunnel_answered(k_way, false, at(50'000), at(50'001));
    CHECK_FALSE(ban(table, k_way, at(50'001)));
}

TEST_CASE("core/edge_table: a ban is forgotten when the advert or the pin changes") {
    auto table = table_with({k_edge});
    const auto strike = [&table](long long seconds) {
        table.set_refusals({{k_way.url, 401, UnixTime(seconds)}}, UnixTime(seconds), at(0));
        REQUIRE(ban(table, k_way, at(0)));
    };
    strike(1000);
    table.set_lan({lan_edge("gw.local", {"192.168.1.2", "192.168.1.9"})}, {}, at(0));
    CHECK_FALSE(ban(table, k_way, at(0)));
    strike(1001);
    table.pin_changed(k_way.edge);
    CHECK_FALSE(ban(table, k_way, at(0)));
    CHECK(table.find(k_way)->is_asked_for);
}

TEST_CASE("core/edge_table: a ban of one way is forgotten with its edge's") {
    auto table = table_with({k_edge});
    const auto strike = [&table] {
        table.probed(k_way, ProbeResult::wrong_key, at(0), at(0));
        REQUIRE(ban(table, k_way, at(0)) == NoUse::wrong_key);
    };
    strike();
    table.pin_changed(k_way.edge);
    CHECK_FALSE(ban(table, k_way, at(0)));
    strike();
    table.set_lan({lan_edge("gw.local", {"192.168.1.2", "192.168.1.9"})}, {}, at(0));
    CHECK_FALSE(ban(table, k_way, at(0)));
}

TEST_CASE("core/edge_table: a ban is not forgotten when the same advert goes and comes back") {
    auto table = table_with({k_edge});
    table.set_refusals({{k_way.url, 401, UnixTime(1000)}}, UnixTime(1000), at(0));
    table.set_lan({}, {}, at(1000));
    table.set_lan({}, {}, minutes(9));
    table.set_lan({k_edge}, {}, minutes(9));
    CHECK(ban(table, k_way, minutes(9)) == NoUse::refused);
}

TEST_CASE("core/edge_table: the way in use outlives its address's advert, not the next choice") {
    const LanEdge moved = lan_edge("gw.local", {"192.168.1.9"});
    auto table = table_with({k_edge}, k_way);
    table.set_lan({moved}, k_way, at(1000));
    CHECK(table.find(k_way) != nullptr);
    CHECK(table.edges()[1].ways.size() == 2);
    CHECK(table.edges()[1].ways[0].way == moved.ways[0]);
    table.set_lan({moved}, moved.ways[0], at(2000));
    CHECK(table.find(k_way) == nullptr);
}

TEST_CASE("core/edge_table: an inherited path belongs to the edge whose advert dials the same") {
    EdgeTable table(at(0));
    const EdgeWay inherited = way_of({k_way.url, k_way.rathole, PathSource::lan, "/pin"});
    table.inherit(inherited, at(0));
    CHECK(table.find(inherited)->health.is_usable());
    CHECK(table.edges()[0].missing_since == at(0));
    table.set_lan({k_edge}, inherited, at(500));
    REQUIRE(table.edges().size() == 1);
    CHECK(table.edges()[0].edge == endpoint("gw.local:8443"));
    CHECK(table.find(k_way)->health.is_usable());
    CHECK(table.find_same_way(inherited) == k_way);
}

TEST_CASE("core/edge_table: an inherited configured path is the configured edge's, or nobody's") {
    EdgeTable table(at(0));
    table.inherit(hub_way(), at(0));
    CHECK(table.edges().empty());
    table.configure(hub_way(), "edge.example");
    table.inherit(hub_way(), at(0));
    CHECK(table.find(hub_way())->health.is_usable());
}

TEST_CASE(
    "core/edge_table: a tunnel port that was shut when the way was last in use is looked at anew") {
    auto table = table_with({k_edge});
    table.tunnel_asked(k_way, at(0));
    table.tunnel_answered(k_way, false, at(0), at(1));
    table.tunnel_asked(k_way, at(60'000));
    table.tunnel_answered(k_way, false, at(60'000), at(60'001));
    CHECK_FALSE(ban(table, k_way, at(60'001)));
}
