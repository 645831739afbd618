#include "core/edge_summary.h"

#include "core/plain_age.h"
#include "support/catch.h"

using namespace losos;

namespace {

using Kind = EdgeSummaryFacts::Kind;
using Registrar = EdgeSummaryFacts::Registrar;
using Uplink = EdgeSummaryFacts::Uplink;
using Steps = std::vector<std::string>;

EdgeSummaryFacts gateway(Uplink uplink) {
    EdgeSummaryFacts facts;
    facts.kind = Kind::gateway;
    facts.registrar = Registrar::runs;
    facts.live_direct = 2;
    facts.uplink = uplink;
    facts.relaying = 1;
    return facts;
}

} // namespace

TEST_CASE("an edge is summed up in one sentence") {
    CHECK(summarize_edge(gateway(Uplink::well)) ==
          "this gateway serves 2 boxes and makes 1 box public through its hub");
    CHECK(summarize_edge(gateway(Uplink::not_set)) ==
          "this gateway serves 2 boxes; none of them is public, for no uplink is set");
    CHECK(summarize_edge(gateway(Uplink::failing)) ==
          "this gateway serves 2 boxes; the way to the hub is broken");
    EdgeSummaryFacts hub;
    CHECK(summarize_edge(hub) == "the registrar does not run, so no box can register here");
    hub.registrar = Registrar::runs;
    hub.live_relayed = 3;
    hub.faults = 2;
    CHECK(
        summarize_edge(hub) ==
        "this hub serves 0 boxes directly and 3 boxes behind gateways; 2 faults are to be mended");
}

TEST_CASE("one box is it, several are them") {
    auto facts = gateway(Uplink::not_set);
    facts.live_direct = 1;
    CHECK(summarize_edge(facts) ==
          "this gateway serves 1 box; it is not public, for no uplink is set");
    facts.uplink = Uplink::untried;
    CHECK(summarize_edge(facts) ==
          "this gateway serves 1 box; the hub has not been asked to make it public yet");
    facts.uplink = Uplink::unusable;
    CHECK(summarize_edge(facts) == "this gateway serves 1 box; whether it is public is not known, "
                                   "for the uplink cannot be read");
    CHECK(summarize_edge(gateway(Uplink::untried)) ==
          "this gateway serves 2 boxes; the hub has not been asked to make them public yet");
}

TEST_CASE("a registrar whose words cannot be read is not taken for one that does not run") {
    auto facts = gateway(Uplink::well);
    facts.registrar = Registrar::unknown;
    CHECK(summarize_edge(facts) == "whether the registrar runs is not known");
    CHECK(next_steps(facts) == Steps{"have the registrar write it anew with \"systemctl restart "
                                     "losos-registrar\""});
    facts.registrar = Registrar::denied;
    CHECK(summarize_edge(facts) == "whether the registrar runs is not known");
    CHECK(next_steps(facts) == Steps{"look again as root"});
}

TEST_CASE("who may not read the uplink is not told to set it again") {
    auto facts = gateway(Uplink::denied);
    CHECK(next_steps(facts) == Steps{"look again as root"});
    facts.registrar = Registrar::denied;
    CHECK(next_steps(facts) == Steps{"look again as root"});
}

TEST_CASE("where all is well there is nothing to do") {
    CHECK(next_steps(gateway(Uplink::well)) == Steps{"nothing to do"});
    EdgeSummaryFacts hub;
    hub.registrar = Registrar::runs;
    hub.live_direct = 1;
    CHECK(next_steps(hub) == Steps{"nothing to do"});
}

TEST_CASE("what is broken, or could be done, is a step each") {
    const auto first = [](const EdgeSummaryFacts& facts) {
        return next_steps(facts).front();
    };
    CHECK(first(gateway(Uplink::not_set)).find("losos-edge uplink set") != std::string::npos);
    CHECK(first(gateway(Uplink::unusable)).find("again") != std::string::npos);
    CHECK(first(gateway(Uplink::untried)).find("wait") != std::string::npos);
    CHECK(first(gateway(Uplink::failing)).find("doctor") != std::string::npos);
    auto refused = gateway(Uplink::well);
    refused.not_taken = 1;
    CHECK(first(refused) == "see above why the hub does not take 1 box");
    auto empty = gateway(Uplink::well);
    empty.live_direct = 0;
    CHECK(first(empty).find("turn on a box") != std::string::npos);
    EdgeSummaryFacts hub;
    hub.registrar = Registrar::runs;
    CHECK(first(hub).find("list a gateway or a box") != std::string::npos);
    hub.listed = 1;
    CHECK(first(hub).find("their token") != std::string::npos);
    auto dead = gateway(Uplink::failing);
    dead.registrar = Registrar::down;
    CHECK(next_steps(dead).size() == 2);
    CHECK(first(dead).find("start the registrar") != std::string::npos);
}

TEST_CASE("an age is said in the unit a person would use") {
    CHECK(plain_age(-5) == "0 s");
    CHECK(plain_age(119) == "119 s");
    CHECK(plain_age(120) == "2 min");
    CHECK(plain_age(7199) == "119 min");
    CHECK(plain_age(7200) == "2 h");
    CHECK(plain_age(2 * 86400) == "2 days");
}
