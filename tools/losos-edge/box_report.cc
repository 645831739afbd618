#include "box_report.h"

#include "base/append.h"
#include "base/format.h"
#include "base/log.h"

#include <string_view>

namespace losos {

namespace {

std::string_view describe(PathSource source) {
    return source == PathSource::lan ? "on the LAN" : "configured";
}

std::string_view describe(HealthState state) {
    switch (state) {
    case HealthState::untried:
        return "not asked so far";
    case HealthState::up:
        return "it answers";
    case HealthState::doubtful:
        return "it did not answer just now";
    case HealthState::down:
        break;
    case HealthState::returning:
        return "it answers again, not for long enough yet";
    }
    return "it does not answer";
}

std::string edge_line(const EdgeDocument::Candidate& edge) {
    const auto how = edge.ban ? format("left aside for now: {}", losos::describe(edge.ban->reason))
                              : std::string(describe(edge.state));
    return format("edge: {} at {}, {}: {}\n", printable(edge.name), edge.url.text(),
                  describe(edge.source), how);
}

/// Nothing where the list is empty.
std::string list_line(std::string_view what, const std::string& list) {
    return list.empty() ? list : format("{}: {}\n", what, list);
}

} // namespace

std::string box_report_as_text(const EdgeDocument& document,
                               const std::vector<CustomDomain>& domains) {
    std::string text;
    if (document.path) {
        text = format("in short: this box is on the path to {}\n", printable(document.path->name));
        text += format("path: {}, tunnels to {}, {}: {}\n", document.path->url.text(),
                       document.path->rathole.text(), describe(document.path->source),
                       printable(document.reason));
    } else {
        text = format("in short: this box has no path to an edge, so nobody reaches it from "
                      "elsewhere\npath: none: {}\n",
                      printable(document.reason));
    }
    for (const auto& edge : document.candidates) {
        text += edge_line(edge);
    }
    std::string official;
    for (const auto& edge : document.edges) {
        if (edge.official) {
            append_item(official, printable(edge.name));
        }
    }
    std::string live;
    for (const auto& domain : domains) {
        append_item(live, domain.text());
    }
    text += list_line("official", official) + list_line("domains live", live);
    return text + "uplink: not set\nnext: check every hop with \"losos-edge doctor\"\n";
}

} // namespace losos
