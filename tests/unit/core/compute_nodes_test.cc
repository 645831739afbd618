#include "core/compute_nodes.h"

#include "unit/core/make.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

constexpr MonotonicTime k_now{5'000'000};
constexpr Duration k_ttl{120'000};

const std::map<DnsLabel, ComputeWindow> k_windows{
    {label("anna"), {true, "22:00", "06:00", "Europe/Berlin"}}, {label("zoe"), {}}};

bool anna_is_idle(const std::map<DnsLabel, HeardIdleness>& heard, MonotonicTime now = k_now) {
    return plan_compute_nodes(k_windows, heard, k_ttl, now)[0].idle;
}

} // namespace

TEST_CASE("every member with a window is a node, by name") {
    const auto nodes =
        plan_compute_nodes(k_windows, {{label("other"), {true, k_now}}}, k_ttl, k_now);
    CHECK(nodes == std::vector<ComputeNode>{{label("anna"), k_windows.at(label("anna")), false},
                                            {label("zoe"), {}, false}});
    CHECK(plan_compute_nodes({}, {}, k_ttl, k_now).empty());
}

TEST_CASE("idle is only who said so lately: an unknown is never idle") {
    CHECK_FALSE(anna_is_idle({}));
    CHECK(anna_is_idle({{label("anna"), {true, k_now}}}));
    CHECK_FALSE(anna_is_idle({{label("anna"), {false, k_now}}}));
    CHECK_FALSE(anna_is_idle({{label("anna"), {std::nullopt, k_now}}}));
    CHECK(anna_is_idle({{label("anna"), {true, k_now - k_ttl}}}));
    CHECK_FALSE(anna_is_idle({{label("anna"), {true, k_now - k_ttl - Duration(1)}}}));
    CHECK_FALSE(anna_is_idle({{label("zoe"), {true, k_now}}}));
}

TEST_CASE("idleness ends by itself when nobody renews it") {
    const std::map<DnsLabel, HeardIdleness> heard{{label("anna"), {true, k_now}},
                                                  {label("zoe"), {false, k_now - k_ttl}}};
    const auto end = next_idle_end(heard, k_ttl, k_now);
    REQUIRE(end);
    CHECK(anna_is_idle(heard, *end - Duration(1)));
    CHECK_FALSE(anna_is_idle(heard, *end));
    CHECK(next_idle_end(heard, k_ttl, *end) == std::nullopt);
}
