#include "core/check_box.h"

#include "base/append.h"
#include "base/format.h"
#include "core/http_date.h"

#include <algorithm>
#include <string_view>

namespace losos {

namespace {

constexpr int k_unauthorized = 401;
constexpr int k_forbidden = 403;
constexpr int k_conflict = 409;

std::string_view advice_on_refusal(int status) {
    switch (status) {
    case k_unauthorized:
        return "it holds another token for this id; have its operator forget the box, or give "
               "the box the token that is listed there";
    case k_forbidden:
        return "its operator listed this id with another hostname; use that one";
    case k_conflict:
        return "another box there has this hostname; choose another one";
    default:
        return "ask its operator";
    }
}

Check check_lan_search(const EdgeDocument& edges) {
    const std::string what = "LAN";
    if (!edges.lan_searched) {
        return check_failed(what, "it could not be searched for a gateway: Avahi does not answer; "
                                  "type \"systemctl start avahi-daemon\"");
    }
    std::string names;
    for (const auto& edge : edges.candidates) {
        if (edge.source == PathSource::lan) {
            append_item(names, edge.name);
        }
    }
    return check_ok(what, names.empty() ? "no gateway is advertised" : "it has " + names);
}

/// What to do about an edge that is of no use.
std::string_view remedy(NoUse reason) {
    constexpr std::string_view k_key =
        "ask its owner whether the key is new, and if it is, remove this edge's pin";
    switch (reason) {
    case NoUse::wrong_key:
        return k_key;
    case NoUse::refused:
        return "once what is said of its refusal is done, type \"systemctl restart "
               "losos-box.target\"";
    case NoUse::busy:
        return "it is tried again by then; where it stays so, see \"losos-edge doctor\" there";
    case NoUse::no_tunnel:
        return "see \"losos-edge doctor\" there";
    }
    return k_key;
}

Check check_no_path(const EdgeDocument& edges) {
    const bool is_barred = std::any_of(edges.candidates.begin(), edges.candidates.end(),
                                       [](const auto& edge) { return edge.ban.has_value(); });
    return check_failed(
        "path", format("no edge is in reach, so the box is not public: {}; {}", edges.reason,
                       is_barred ? "what to do about each edge stands below"
                                 : "see its cable or Wi-Fi, and whether a gateway runs on its "
                                   "LAN"));
}

} // namespace

std::vector<Check> check_path(const EdgeDocument& edges) {
    std::vector<Check> checks;
    if (edges.path) {
        checks.push_back(check_ok("path", format("{} at {}: {}", edges.path->name,
                                                 edges.path->url.text(), edges.reason)));
    } else {
        checks.push_back(check_no_path(edges));
    }
    checks.push_back(check_lan_search(edges));
    for (const auto& edge : edges.candidates) {
        if (edge.ban) {
            checks.push_back(
                check_failed(format("edge {}", edge.name),
                             format("{} is not used until {}: {}; {}", edge.url.text(),
                                    render_utc(edge.ban->until), describe(edge.ban->reason),
                                    remedy(edge.ban->reason))));
        }
    }
    return checks;
}

std::vector<Check> check_registration(const HttpUrl& path, const AnnounceFacts& facts) {
    const std::string what = "registration";
    std::vector<Check> checks;
    if (facts.registered_at == path) {
        checks.push_back(check_ok(what, format("with {}", path.text())));
    } else {
        const auto where =
            facts.registered_at ? format("still with {}", facts.registered_at->text()) : "nowhere";
        checks.push_back(check_failed(what, format("it is {}, not with {}; \"journalctl -u "
                                                   "losos-registrar-announce\" says why",
                                                   where, path.text())));
    }
    const auto refusals = check_refusals(facts);
    checks.insert(checks.end(), refusals.begin(), refusals.end());
    return checks;
}

std::vector<Check> check_refusals(const AnnounceFacts& facts) {
    std::vector<Check> checks;
    for (const auto& refusal : facts.refusals) {
        checks.push_back(check_failed(
            format("refusal by {}", refusal.url.text()),
            format("it answered {}: {}", refusal.status, advice_on_refusal(refusal.status))));
    }
    return checks;
}

} // namespace losos
