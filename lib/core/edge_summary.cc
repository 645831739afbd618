#include "core/edge_summary.h"

#include "base/format.h"

#include <string_view>

namespace losos {

namespace {

using Kind = EdgeSummaryFacts::Kind;
using Registrar = EdgeSummaryFacts::Registrar;
using Uplink = EdgeSummaryFacts::Uplink;

constexpr std::string_view k_as_root = "look again as root";

std::string uplink_part(const EdgeSummaryFacts& facts) {
    const bool is_one = facts.live_direct == 1;
    switch (facts.uplink) {
    case Uplink::not_set:
        return format("; {} public, for no uplink is set",
                      is_one ? "it is not" : "none of them is");
    case Uplink::unusable:
    case Uplink::denied:
        return format("; whether {} public is not known, for the uplink cannot be read",
                      is_one ? "it is" : "they are");
    case Uplink::untried:
        return format("; the hub has not been asked to make {} public yet", is_one ? "it" : "them");
    case Uplink::failing:
        return "; the way to the hub is broken";
    case Uplink::well:
        break;
    }
    return format(" and makes {} public through its hub", count_boxes(facts.relaying));
}

std::string_view no_box_step(const EdgeSummaryFacts& facts) {
    if (facts.kind == Kind::gateway) {
        return "turn on a box on this LAN: it finds this gateway by itself";
    }
    return facts.listed == 0 ? "list a gateway or a box in the tenants file"
                             : "hand each owner in the tenants file their token";
}

void add_uplink_steps(const EdgeSummaryFacts& facts, std::vector<std::string>& steps) {
    switch (facts.uplink) {
    case Uplink::not_set:
        if (facts.kind == Kind::gateway) {
            steps.emplace_back("to make the boxes here public, set an uplink with \"losos-edge "
                               "uplink set\"");
        }
        break;
    case Uplink::unusable:
        steps.emplace_back("set the uplink again with \"losos-edge uplink set\"");
        break;
    case Uplink::denied:
        // Said once where the registrar's words are kept from this user too.
        if (facts.registrar != Registrar::denied) {
            steps.emplace_back(k_as_root);
        }
        break;
    case Uplink::untried:
        steps.emplace_back("wait for the first pass of the uplink, a few seconds");
        break;
    case Uplink::failing:
        steps.emplace_back("check the way to the hub with \"losos-edge doctor\"");
        break;
    case Uplink::well:
        if (facts.not_taken != 0) {
            steps.push_back(
                format("see above why the hub does not take {}", count_boxes(facts.not_taken)));
        }
        break;
    }
}

} // namespace

std::string count_boxes(std::size_t count) {
    return format("{} {}", count, count == 1 ? "box" : "boxes");
}

std::string summarize_edge(const EdgeSummaryFacts& facts) {
    switch (facts.registrar) {
    case Registrar::runs:
        break;
    case Registrar::down:
        return "the registrar does not run, so no box can register here";
    case Registrar::unknown:
    case Registrar::denied:
        return "whether the registrar runs is not known";
    }
    std::string text;
    if (facts.kind == Kind::gateway) {
        text =
            format("this gateway serves {}{}", count_boxes(facts.live_direct), uplink_part(facts));
    } else {
        text = format("this hub serves {} directly and {} behind gateways",
                      count_boxes(facts.live_direct), count_boxes(facts.live_relayed));
    }
    if (facts.faults != 0) {
        text += format("; {} {} to be mended", facts.faults,
                       facts.faults == 1 ? "fault is" : "faults are");
    }
    return text;
}

std::vector<std::string> next_steps(const EdgeSummaryFacts& facts) {
    std::vector<std::string> steps;
    switch (facts.registrar) {
    case Registrar::down:
        steps.emplace_back("start the registrar as the line above says, then check everything "
                           "with \"losos-edge doctor\"");
        break;
    case Registrar::unknown:
        steps.emplace_back("have the registrar write it anew with \"systemctl restart "
                           "losos-registrar\"");
        break;
    case Registrar::denied:
        steps.emplace_back(k_as_root);
        break;
    case Registrar::runs:
        if (facts.faults != 0) {
            steps.emplace_back("mend each fault above; the registrar notices by itself");
        } else if (facts.live_direct + facts.live_relayed == 0) {
            steps.emplace_back(no_box_step(facts));
        }
        break;
    }
    add_uplink_steps(facts, steps);
    if (steps.empty()) {
        steps.emplace_back("nothing to do");
    }
    return steps;
}

} // namespace losos
