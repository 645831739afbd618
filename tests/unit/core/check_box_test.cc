#include "core/check_box.h"

#include "support/catch.h"
#include "unit/files/make.h"

#include <algorithm>
#include <string>

using namespace losos;
using namespace losos::make;

namespace {

const std::string k_gateway = "http://gw.local:8443";

EdgeDocument at_home() {
    EdgeDocument edges;
    edges.lan_searched = true;
    edges.reason = "it was the first to answer";
    edges.path =
        EdgeDocument::Path{"gw", url(k_gateway), endpoint("gw.local:2333"), PathSource::lan};
    EdgeDocument::Candidate candidate{
        "gw", url(k_gateway), PathSource::lan, HealthState::up, std::nullopt, std::nullopt};
    edges.candidates = {candidate};
    return edges;
}

Check find(const std::vector<Check>& checks, const std::string& what) {
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [&](const Check& check) { return check.what == what; });
    REQUIRE(found != checks.end());
    return *found;
}

bool has(const Check& check, const std::string& words) {
    return check.says.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a box with a path says which one and why") {
    const auto checks = check_path(at_home());
    CHECK(find(checks, "path") ==
          check_ok("path", "gw at http://gw.local:8443: it was the first to answer"));
    CHECK(find(checks, "LAN") == check_ok("LAN", "it has gw"));
}

TEST_CASE("a box without a path is a fault, and so is a LAN that cannot be searched") {
    auto edges = at_home();
    edges.path.reset();
    edges.lan_searched = false;
    edges.reason = "nobody answers";
    const auto checks = check_path(edges);
    CHECK(find(checks, "path").verdict == Verdict::failed);
    CHECK(has(find(checks, "path"), "nobody answers"));
    CHECK(find(checks, "LAN").verdict == Verdict::failed);
    CHECK(has(find(checks, "LAN"), "systemctl start avahi-daemon"));
    edges.lan_searched = true;
    edges.candidates.clear();
    CHECK(find(check_path(edges), "LAN") == check_ok("LAN", "no gateway is advertised"));
}

TEST_CASE("an edge that is no use for now is named with the reason") {
    auto edges = at_home();
    edges.candidates[0].ban = EdgeDocument::Ban{NoUse::wrong_key, UnixTime(1'800'000'000)};
    const auto check = find(check_path(edges), "edge gw");
    CHECK(check.verdict == Verdict::failed);
    CHECK(has(check, "not used until 2027-01-15 08:00:00 UTC"));
    CHECK(has(check, std::string(describe(NoUse::wrong_key))));
    CHECK(has(check, "remove this edge's pin"));
    edges.candidates[0].ban->reason = NoUse::refused;
    edges.path.reset();
    const auto refused = check_path(edges);
    CHECK(has(find(refused, "edge gw"), "systemctl restart losos-box.target"));
    CHECK_FALSE(has(find(refused, "path"), "cable"));
}

TEST_CASE("a box has to be registered with the edge of its path") {
    const auto path = url(k_gateway);
    CHECK(find(check_registration(path, {path, {}}), "registration").verdict == Verdict::ok);
    const auto elsewhere = check_registration(path, {url("https://hub.test"), {}});
    CHECK(has(find(elsewhere, "registration"), "still with https://hub.test"));
    CHECK(has(find(check_registration(path, {}), "registration"), "nowhere"));
}

TEST_CASE("each edge that refused the box is named with what to do") {
    const auto path = url(k_gateway);
    const auto said = [&](int status) {
        const auto checks = check_registration(path, {path, {{path, status}}});
        return find(checks, "refusal by " + k_gateway);
    };
    CHECK(said(401).verdict == Verdict::failed);
    CHECK(has(said(401), "another token"));
    CHECK(has(said(403), "another hostname"));
    CHECK(has(said(409), "another box"));
    CHECK(has(said(503), "503"));
    CHECK(check_refusals({{}, {{path, 401}}}) == std::vector<Check>{said(401)});
}
