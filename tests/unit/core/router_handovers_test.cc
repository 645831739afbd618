#include "core/router_handovers.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <set>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

constexpr MonotonicTime k_start{1'000'000};

MonotonicTime after_start(long long ms) {
    return k_start + MonotonicTime{ms};
}

RatholeService service(std::string_view id, int number) {
    return {row_id(id), token('t'), port(number)};
}

Router router(std::string_view id, int number, const char* host = "box.acme.test") {
    return {row_id(id), name(host), port(number), {}};
}

const std::vector<Router> k_relayed{router("acme.box", 100)};
const std::vector<Router> k_direct{router("box", 101)};
const std::vector<RatholeService> k_both{service("acme.box", 100), service("box", 101)};

std::set<Port> ports(const std::vector<int>& numbers) {
    std::set<Port> all;
    for (const int number : numbers) {
        all.insert(port(number));
    }
    return all;
}

/// What is written after a look at which only these ports have a tunnel.
std::vector<Router> settle(RouterHandovers& handovers, const std::vector<int>& standing,
                           MonotonicTime now) {
    return handovers.settle(k_direct, find_handovers(k_relayed, k_direct, k_both), ports(standing),
                            now);
}

} // namespace

TEST_CASE("a router keeps to the tunnel that stands until the new one does") {
    RouterHandovers handovers;
    CHECK(settle(handovers, {100}, k_start) == k_relayed);
    CHECK(handovers.next_look() == after_start(100));
    CHECK(settle(handovers, {100}, after_start(4999)) == k_relayed);
    CHECK(settle(handovers, {100, 101}, after_start(4999)) == k_direct);
    CHECK(handovers.next_look() == std::nullopt);
}

TEST_CASE("a router waits five seconds for a new tunnel, and does not begin anew") {
    RouterHandovers handovers;
    CHECK(settle(handovers, {100}, k_start) == k_relayed);
    CHECK(settle(handovers, {100}, after_start(5000)) == k_direct);
    CHECK(handovers.next_look() == std::nullopt);
    CHECK(settle(handovers, {100}, after_start(5100)) == k_direct);
}

TEST_CASE("a router goes over at once when there is nothing to lose") {
    const auto standing = GENERATE(std::vector<int>{}, std::vector<int>{101});
    RouterHandovers handovers;
    CHECK(settle(handovers, standing, k_start) == k_direct);
    CHECK(handovers.next_look() == std::nullopt);
}

TEST_CASE("a row that comes again later waits its whole time") {
    RouterHandovers handovers;
    settle(handovers, {100}, k_start);
    CHECK(handovers.settle(k_relayed, {}, {}, after_start(3000)) == k_relayed);
    CHECK(handovers.next_look() == std::nullopt);
    CHECK(settle(handovers, {100}, after_start(4000)) == k_relayed);
    CHECK(settle(handovers, {100}, after_start(8900)) == k_relayed);
}

TEST_CASE("no handover comes from a row that is served no more") {
    CHECK(find_handovers(k_relayed, k_direct, {service("box", 101)}).empty());
    CHECK(find_handovers(k_relayed, k_direct, {service("acme.box", 102), service("box", 101)})
              .empty());
}

TEST_CASE("no handover comes from a row that has another router now") {
    const std::vector<Router> wanted{router("acme.box", 100, "new.acme.test"), router("box", 101)};
    CHECK(find_handovers(k_relayed, wanted, k_both).empty());
}

TEST_CASE("what comes, goes or stays by itself is no handover") {
    const std::vector<Router> other{router("other", 102, "other.test")};
    CHECK(find_handovers(k_relayed, other, k_both).empty());
    CHECK(find_handovers({}, k_direct, k_both).empty());
    CHECK(find_handovers(k_direct, {}, k_both).empty());
    CHECK(find_handovers(k_direct, k_direct, k_both).empty());
}

TEST_CASE("what waits keeps its place in the order, and the others go on") {
    const std::vector<Router> routed{router("acme.box", 100), router("gone", 103, "gone.test")};
    const std::vector<Router> wanted{router("about", 104, "about.test"), router("box", 101)};
    RouterHandovers handovers;
    CHECK(handovers.settle(wanted, find_handovers(routed, wanted, k_both), ports({100}), k_start) ==
          std::vector<Router>{router("about", 104, "about.test"), router("acme.box", 100)});
}

TEST_CASE("a further name waits for nobody, whatever it comes from and goes to") {
    const auto further = [](std::string_view id, int number) {
        auto each = router(id, number, "cloud.example.org");
        each.kind = RouterKind::further;
        return each;
    };
    const auto own = router("acme.box", 100, "box.acme.test");
    const auto direct = router("box", 101, "cloud.example.org");
    const std::vector<RatholeService> all{service("acme.box", 100), service("beta.box", 102),
                                          service("box", 101)};
    const auto route = further("acme.box", 100);
    CHECK(find_handovers({route}, {further("beta.box", 102)}, all).empty());
    CHECK(find_handovers({own, route}, {own, further("beta.box", 102)}, all).empty());
    CHECK(find_handovers({own, route}, {own, further("box", 101)}, all).empty());
    CHECK(find_handovers({own, route}, {own, direct}, all).empty());
    CHECK(find_handovers({direct}, {route}, all).empty());
}

TEST_CASE("a hostname is handed over beside further names of the same row") {
    auto further = router("acme.box", 100, "cloud.example.org");
    further.kind = RouterKind::further;
    CHECK(find_handovers({k_relayed[0], further}, {further, k_direct[0]}, k_both).size() == 1);
}
