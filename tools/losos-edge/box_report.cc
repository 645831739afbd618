#include "box_report.h"

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

/// What stands before it and the names, and nothing where there are none.
template <class Items, class Name>
std::string name_line(std::string_view before, const Items& items, Name name_of) {
    std::string text;
    for (const auto& item : items) {
        if (const std::string name = name_of(item); !name.empty()) {
            text += format("{}{}", text.empty() ? before : ", ", name);
        }
    }
    return text.empty() ? text : text + "\n";
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
    text += name_line("official: ", document.edges, [](const EdgeDocument::Edge& edge) {
        return edge.official ? printable(edge.name) : std::string();
    });
    text += name_line("domains live: ", domains,
                      [](const CustomDomain& domain) { return std::string(domain.text()); });
    return text + "uplink: not set\nnext: check every hop with \"losos-edge doctor\"\n";
}

} // namespace losos
