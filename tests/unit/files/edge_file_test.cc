#include "files/edge_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

EdgeDocument sample() {
    EdgeDocument document;
    document.reachable = true;
    document.edges = {{"edge \"one\"\n#2", url("http://192.168.1.2:8443"), PathSource::lan, true,
                       endpoint("192.168.1.2:2333")}};
    document.checked_at = UnixTime(-5);
    document.path = EdgeDocument::Path{"edge", url("http://192.168.1.2:8443"),
                                       endpoint("192.168.1.2:2333"), PathSource::lan};
    document.reason = "it answers";
    for (const auto state : {HealthState::untried, HealthState::up, HealthState::doubtful,
                             HealthState::down, HealthState::returning}) {
        document.candidates.push_back({"x", url("http://x.local"), PathSource::lan, state, {}, {}});
    }
    document.candidates[0].probe = {ProbeResult::wrong_answer, UnixTime(7)};
    document.candidates[1].ban = {NoUse::no_tunnel, UnixTime(8)};
    return document;
}

} // namespace

TEST_CASE("files/edge_file: what is rendered is read back whole") {
    CHECK(edge_file::parse(edge_file::render(sample())).value() == sample());
    CHECK(edge_file::parse(edge_file::render({})).value() == EdgeDocument{});
}

TEST_CASE("files/edge_file: what another version leaves out is as if empty") {
    const auto document = edge_file::parse(R"({"checkedAt": 5, "path": null, "more": 1})");
    CHECK(document.value().checked_at == UnixTime(5));
    CHECK_FALSE(document.value().reachable);
}

TEST_CASE("files/edge_file: a text of another shape fails") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "[]",
        "{}",
        R"({"checkedAt": "now"})",
        R"({"checkedAt": 1, "reachable": "yes"})",
        R"({"checkedAt": 1, "edges": {}})",
        R"({"checkedAt": 1, "edges": [1]})",
        R"({"checkedAt": 1, "edges": [{"name": "x", "url": "ftp://x", "source": "lan"}]})",
        R"({"checkedAt": 1, "configuredUrl": "x"})",
        R"({"checkedAt": 1, "path": {"name": "x"}})",
        R"({"checkedAt": 1, "candidates": [{"name": "x", "url": "http://x", "source": "lan",
            "state": "asleep"}]})",
    }));
    CAPTURE(text);
    CHECK_FALSE(edge_file::parse(text));
}

TEST_CASE("files/edge_file: loaded, absent or unusable") {
    const ScratchDir dir;
    const auto path = dir / "edge.json";
    CHECK(edge_file::load(path).value() == std::nullopt);
    CHECK(edge_file::store(path, sample()).value() == Change::changed);
    CHECK(edge_file::store(path, sample()).value() == Change::unchanged);
    CHECK(edge_file::load(path).value() == sample());
    spill(path, "{");
    CHECK(edge_file::load(path).error().code == Errc::unusable);
}
