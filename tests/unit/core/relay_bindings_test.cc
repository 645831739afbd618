#include "core/relay_bindings.h"

#include "unit/core/make_passes.h"

#include <string>
#include <utility>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

using Moves = std::vector<BindingMove>;
using Refused = std::vector<RefusedPass>;

const DnsLabel k_acme = label("acme");
const DnsLabel k_beta = label("beta");
const DnsLabel k_box = label("mattbox");

/// A hub in hour 500,000 with two gateways.
struct Hub {
    Bindings bindings;
    std::map<RowId, RegistryRow> rows;
    UnixTime now = k_hour_500000;

    BindingNews relay(const DnsLabel& spoke, const std::vector<ListedPass>& listed) {
        auto news = judge_passes(bindings, spoke, listed, rows, pass_key(), now);
        std::erase_if(rows, [&](const auto& row) { return row.first.spoke() == spoke; });
        for (const auto& each : listed) {
            rows.emplace(RowId::relayed(spoke, each.box), RegistryRow{name("h.test"), port(1)});
        }
        return news;
    }
};

Moves bound(const DnsLabel& to) {
    return {{k_box, std::nullopt, to}};
}

Moves released(const DnsLabel& from) {
    return {{k_box, from, std::nullopt}};
}

Hub with_acme_holding(long long hour = 500'000) {
    Hub hub;
    hub.relay(k_acme, {with_pass("mattbox", hour)});
    REQUIRE(hub.bindings == Bindings{{k_box, binding("acme", hour)}});
    return hub;
}

const ListedPass k_forged{k_box, pass("500000"), false};
const ListedPass k_odd{k_box, std::nullopt, true};

} // namespace

TEST_CASE("core/relay_bindings: a good pass binds its box to the gateway that lists it") {
    Hub hub;
    const auto hour = GENERATE(499'998, 499'999, 500'000);
    const auto news = hub.relay(k_acme, {with_pass("mattbox", hour)});
    CHECK(news == BindingNews{bound(k_acme), {}});
    CHECK(hub.bindings == Bindings{{k_box, binding("acme", hour)}});
}

TEST_CASE("core/relay_bindings: what is no good pass binds nothing, and is refused") {
    const auto [listed, why] = GENERATE(
        std::pair{without_pass("mattbox"), PassRefusal::missing},
        std::pair{k_odd, PassRefusal::odd_shape}, std::pair{k_forged, PassRefusal::forged},
        std::pair{ListedPass{k_box, true_pass("annabox", 500'000), false}, PassRefusal::forged},
        std::pair{with_pass("mattbox", 499'997), PassRefusal::expired},
        std::pair{with_pass("mattbox", 0), PassRefusal::expired},
        std::pair{with_pass("mattbox", 500'001), PassRefusal::from_the_future},
        std::pair{with_pass("mattbox", 900'000), PassRefusal::from_the_future});
    Hub hub;
    CHECK(hub.relay(k_acme, {listed}) == BindingNews{{}, {{k_box, why, std::nullopt}}});
    CHECK(hub.bindings.empty());
}

TEST_CASE("core/relay_bindings: the holder's newer pass raises the epoch, an older one never lowers"
          " it") {
    auto hub = with_acme_holding(499'999);
    CHECK(hub.relay(k_acme, {with_pass("mattbox", 500'000)}) == BindingNews{});
    CHECK(hub.bindings.at(k_box) == binding("acme", 500'000));
    CHECK(hub.relay(k_acme, {with_pass("mattbox", 499'998)}) == BindingNews{});
    CHECK(hub.bindings.at(k_box) == binding("acme", 500'000));
}

TEST_CASE("core/relay_bindings: the holder releases what it lists without a good pass") {
    const auto [listed, why] =
        GENERATE(std::pair{without_pass("mattbox"), PassRefusal::missing},
                 std::pair{k_odd, PassRefusal::odd_shape}, std::pair{k_forged, PassRefusal::forged},
                 std::pair{with_pass("mattbox", 499'997), PassRefusal::expired});
    auto hub = with_acme_holding();
    CHECK(hub.relay(k_acme, {listed}) ==
          BindingNews{released(k_acme), {{k_box, why, std::nullopt}}});
    CHECK(hub.bindings.empty());
}

TEST_CASE("core/relay_bindings: the holder releases what it no longer lists, and nothing else") {
    auto hub = with_acme_holding();
    hub.relay(k_beta, {with_pass("annabox", 500'000)});
    const auto list = GENERATE(std::vector<ListedPass>{}, std::vector{with_pass("other", 500'000)});
    const auto news = hub.relay(k_acme, list);
    CHECK(news.moves.back() == released(k_acme).front());
    CHECK_FALSE(hub.bindings.contains(k_box));
    CHECK(hub.bindings.at(label("annabox")) == binding("beta", 500'000));
}

TEST_CASE("core/relay_bindings: nobody releases what another gateway holds") {
    const auto list = GENERATE(std::vector<ListedPass>{}, std::vector{without_pass("mattbox")},
                               std::vector{k_forged}, std::vector{with_pass("mattbox", 499'997)},
                               std::vector{with_pass("mattbox", 500'001)});
    auto hub = with_acme_holding();
    const auto news = hub.relay(k_beta, list);
    CHECK(news.moves.empty());
    CHECK(news.refused.size() == list.size());
    for (const auto& refused : news.refused) {
        CHECK(refused.holder == k_acme);
    }
    CHECK(hub.bindings == Bindings{{k_box, binding("acme", 500'000)}});
}

TEST_CASE("core/relay_bindings: a pass from the future neither binds nor releases") {
    auto hub = with_acme_holding();
    CHECK(hub.relay(k_acme, {with_pass("mattbox", 500'001)}) ==
          BindingNews{{}, {{k_box, PassRefusal::from_the_future, k_acme}}});
    CHECK(hub.bindings == Bindings{{k_box, binding("acme", 500'000)}});
    // Only one this hub made is from the future; anybody can write down a later hour.
    CHECK(hub.relay(k_acme, {{k_box, pass("500001"), false}}).moves == released(k_acme));
}

TEST_CASE("core/relay_bindings: a box moves to a newer pass, also of a gateway that listed it") {
    auto hub = with_acme_holding(499'999);
    hub.relay(k_beta, {without_pass("mattbox")});
    CHECK(hub.relay(k_beta, {with_pass("mattbox", 500'000)}) ==
          BindingNews{{{k_box, k_acme, k_beta}}, {}});
    CHECK(hub.bindings.at(k_box) == binding("beta", 500'000));
}

TEST_CASE("core/relay_bindings: a box never moves to an older pass") {
    auto hub = with_acme_holding();
    CHECK(hub.relay(k_beta, {with_pass("mattbox", 499'999)}) ==
          BindingNews{{}, {{k_box, PassRefusal::older, k_acme}}});
    CHECK(hub.bindings.at(k_box) == binding("acme", 500'000));
}

TEST_CASE("core/relay_bindings: to a pass of the same hour a box moves only when it is new there") {
    auto hub = with_acme_holding();
    CHECK(hub.relay(k_beta, {with_pass("mattbox", 500'000)}).moves ==
          Moves{{k_box, k_acme, k_beta}});
    // acme lists it until it notices; that takes nothing back.
    for (int i = 0; i < 3; ++i) {
        CHECK(hub.relay(k_acme, {with_pass("mattbox", 500'000)}) ==
              BindingNews{{}, {{k_box, PassRefusal::same_hour, k_beta}}});
        CHECK(hub.relay(k_beta, {with_pass("mattbox", 500'000)}) == BindingNews{});
    }
    CHECK(hub.bindings.at(k_box) == binding("beta", 500'000));
    // Once it has gone there it may come back.
    hub.relay(k_acme, {});
    CHECK(hub.relay(k_acme, {with_pass("mattbox", 500'000)}).moves ==
          Moves{{k_box, k_beta, k_acme}});
}

TEST_CASE("core/relay_bindings: an expired binding is as if it were not there") {
    auto hub = with_acme_holding(499'998);
    hub.now = at_hour(500'001);
    hub.rows.emplace(RowId::relayed(k_beta, k_box), RegistryRow{name("h.test"), port(1)});
    CHECK(hub.relay(k_beta, {with_pass("mattbox", 499'999)}).moves == bound(k_beta));
    CHECK(hub.bindings.at(k_box) == binding("beta", 499'999));
    hub.now = at_hour(500'002);
    CHECK(hub.relay(k_beta, {}).moves.empty());
    CHECK(hub.bindings.empty());
}

TEST_CASE("core/relay_bindings: a clock that steps back moves nothing to an older pass") {
    auto hub = with_acme_holding(500'000);
    hub.now = at_hour(499'000);
    CHECK(hub.relay(k_beta, {with_pass("mattbox", 499'000)}) ==
          BindingNews{{}, {{k_box, PassRefusal::older, k_acme}}});
    // The pass acme bound it with is from the future now, and releases nothing.
    CHECK(hub.relay(k_acme, {with_pass("mattbox", 500'000)}).moves.empty());
    CHECK(hub.relay(k_acme, {with_pass("mattbox", 499'000)}) == BindingNews{});
    CHECK(hub.bindings == Bindings{{k_box, binding("acme", 500'000)}});
}

TEST_CASE("core/relay_bindings: a pass is good for its own box alone in a list of 64") {
    Hub hub;
    std::vector<ListedPass> listed;
    for (int i = 0; i < 63; ++i) {
        listed.push_back({label("b" + std::to_string(i)), true_pass("mattbox", 500'000), false});
    }
    listed.push_back(with_pass("mattbox", 500'000));
    const auto news = hub.relay(k_acme, listed);
    CHECK(news.moves == bound(k_acme));
    CHECK(news.refused.size() == 63);
    CHECK(hub.bindings == Bindings{{k_box, binding("acme", 500'000)}});
}

TEST_CASE("core/relay_bindings: a start believes no binding from the future") {
    const Bindings stored{{label("past"), binding("acme", 400'000)},
                          {label("now"), binding("acme", 500'000)},
                          {label("later"), binding("acme", 500'001)}};
    const auto believed = without_future(stored, k_hour_500000);
    CHECK(believed.size() == 2);
    CHECK_FALSE(believed.contains(label("later")));
}

TEST_CASE("core/relay_bindings: a gateway that is none any more releases its boxes") {
    Hub hub;
    for (const auto& [spoke, box] : {std::pair{"acme", "a"}, {"beta", "b"}, {"gone", "c"}}) {
        hub.relay(label(spoke), {with_pass(box, 500'000)});
    }
    Roster roster;
    for (const auto& spoke : {k_acme, k_beta}) {
        roster.emplace(spoke, RosterEntry{.kind = TenantKind::listed,
                                          .hostname = name("h.test"),
                                          .token = std::nullopt,
                                          .relay_zone = name("zone.test")});
    }
    roster.at(k_beta).relay_zone.reset();
    CHECK(release_orphans(hub.bindings, roster) ==
          Moves{{label("b"), k_beta, std::nullopt}, {label("c"), label("gone"), std::nullopt}});
    CHECK(hub.bindings == Bindings{{label("a"), binding("acme", 500'000)}});
}

TEST_CASE("core/relay_bindings: a line of the log names the gateway and the box") {
    CHECK(describe(BindingMove{k_box, std::nullopt, k_acme}) == "mattbox is bound to acme");
    CHECK(describe(BindingMove{k_box, k_acme, k_beta}) == "mattbox moves from acme to beta");
    CHECK(describe(BindingMove{k_box, k_acme, std::nullopt}) == "mattbox is released by acme");
    for (const auto why :
         {PassRefusal::missing, PassRefusal::odd_shape, PassRefusal::forged, PassRefusal::expired,
          PassRefusal::from_the_future, PassRefusal::older, PassRefusal::same_hour}) {
        const auto line = describe(k_acme, RefusedPass{k_box, why, k_beta});
        CHECK(line.starts_with("acme gets no hold of mattbox: it "));
        CHECK(line.ends_with("; beta keeps it"));
    }
}
