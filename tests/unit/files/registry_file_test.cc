#include "files/registry_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const PortRange k_range = port_range("20000-20009");

Registry sample() {
    Registry registry;
    registry.rows.emplace(row_id("acme"), RegistryRow{name("acme.example.org"), port(20000)});
    registry.rows.emplace(row_id("acme.mattbox"),
                          RegistryRow{name("mattbox.acme.example.org"), port(20001)});
    registry.compute_windows.emplace(label("acme"),
                                     ComputeWindow{true, "22:00", "06:00", "Europe/Berlin"});
    registry.resting.emplace(port(20002),
                             RestingPort{row_id("acme.oldbox"), UnixTime(1'800'000'000)});
    return registry;
}

} // namespace

TEST_CASE("files/registry_file: what is rendered is read back") {
    const auto loaded = registry_file::parse(registry_file::render(sample()), k_range);
    REQUIRE(loaded);
    CHECK(loaded->registry == sample());
    CHECK(loaded->dropped.empty());
}

TEST_CASE("files/registry_file: a file of an older registrar is read") {
    const auto loaded = registry_file::parse(
        R"({"tenants":{"acme":{"hostname":"ACME.example.org","port":20000}}})", k_range);
    REQUIRE(loaded);
    CHECK(loaded->registry.rows.at(row_id("acme")).hostname.text() == "acme.example.org");

    const auto windows = registry_file::parse(
        R"({"tenants":{},"compute_windows":{"acme":{}},"new_field":[1]})", k_range);
    REQUIRE(windows);
    CHECK(windows->registry.compute_windows.at(label("acme")) == ComputeWindow{});
}

TEST_CASE("files/registry_file: an entry nobody can believe is dropped, the others stay") {
    const auto [what, row] = GENERATE(table<std::string, std::string>({
        {"empty id", R"("":{"hostname":"b.example.org","port":20001})"},
        {"odd id", R"("B":{"hostname":"b.example.org","port":20001})"},
        {"empty hostname", R"("b":{"hostname":"","port":20001})"},
        {"odd hostname", R"("b":{"hostname":"b_.example.org","port":20001})"},
        {"port below the range", R"("b":{"hostname":"b.example.org","port":19999})"},
        {"port above the range", R"("b":{"hostname":"b.example.org","port":20010})"},
        {"port no machine has", R"("b":{"hostname":"b.example.org","port":-4294947295})"},
        {"port of a lower id", R"("b":{"hostname":"b.example.org","port":20000})"},
        {"via of another", R"("b":{"hostname":"b.example.org","port":20001,"via":"c"})"},
        {"relayed without via", R"("c.b":{"hostname":"b.example.org","port":20001})"},
    }));
    CAPTURE(what);
    const auto loaded = registry_file::parse(
        R"({"tenants":{)" + row + R"(,"a":{"hostname":"a.example.org","port":20000}}})", k_range);
    REQUIRE(loaded);
    CHECK(loaded->registry.rows.size() == 1);
    CHECK(loaded->registry.rows.count(row_id("a")) == 1);
    CHECK(loaded->dropped.size() == 1);
}

TEST_CASE("files/registry_file: an entry of another shape is dropped, the others stay") {
    const std::string row = GENERATE(values<std::string>({
        R"(7)",
        R"({"hostname":"b.example.org","port":"20001"})",
        R"({"hostname":"b.example.org","port":20001.5})",
        R"({"hostname":"b.example.org"})",
        R"({"port":20001})",
        R"({"hostname":null,"port":20001})",
    }));
    CAPTURE(row);
    const auto loaded = registry_file::parse(
        R"({"tenants":{"a":{"hostname":"a.example.org","port":20000},"b":)" + row +
            R"(},"compute_windows":{"a":true,"b":{}},"resting":{"20005":{"id":"b"}}})",
        k_range);
    REQUIRE(loaded);
    CHECK(loaded->registry.rows.size() == 1);
    CHECK(loaded->registry.compute_windows.size() == 1);
    CHECK(loaded->registry.resting.empty());
    REQUIRE(loaded->dropped.size() == 3);
    CHECK(loaded->dropped.front().find("entry \"b\" at byte ") == 0);
}

TEST_CASE("files/registry_file: windows and rests nobody can believe are dropped") {
    const auto loaded = registry_file::parse(
        R"({"tenants":{"a":{"hostname":"a.example.org","port":20000}},
            "compute_windows":{"A":{"share_compute":true}},
            "resting":{"x":{"id":"b","until":5},
                       "20001":{"id":"B","until":5},
                       "20000":{"id":"b","until":5},
                       "20003":{"id":"b","until":-5}}})",
        k_range);
    REQUIRE(loaded);
    CHECK(loaded->dropped.size() == 4);
    CHECK(loaded->registry.compute_windows.empty());
    CHECK(loaded->registry.resting.size() == 1);
    CHECK(loaded->registry.resting.at(port(20003)).until == UnixTime(-5));
}

TEST_CASE("files/registry_file: a file that is not whole fails and says where") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "{",
        "[]",
        "null",
        R"({"tenants":[]})",
        R"({"tenants":{},"tenants":{}})",
        R"({"tenants":{},"compute_windows":[]})",
        R"({"tenants":{},"resting":7})",
        R"({"tenants":{}} x)",
    }));
    CAPTURE(text);
    const auto loaded = registry_file::parse(text, k_range);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().what.find("byte ") != std::string::npos);
}

TEST_CASE("files/registry_file: a registry without tenants is not an empty one") {
    CHECK_FALSE(registry_file::parse("{}", k_range));
}

TEST_CASE("files/registry_file: a file cut at any byte is never taken for a shorter registry") {
    const std::string text = registry_file::render(sample());
    // The last byte is the line feed after the closing brace.
    for (std::size_t length = 0; length + 1 < text.size(); ++length) {
        CAPTURE(length);
        CHECK_FALSE(registry_file::parse(text.substr(0, length), k_range));
    }
}

TEST_CASE("files/registry_file: stored for the owner alone, and only when it changes") {
    const ScratchDir dir;
    const std::string path = dir / "registry.json";
    CHECK_FALSE(registry_file::load(path, k_range).value().has_value());
    CHECK(registry_file::store(path, sample()).value() == Change::changed);
    CHECK(registry_file::store(path, sample()).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(registry_file::load(path, k_range).value()->registry == sample());
    CHECK(registry_file::lock_path(path) == dir / ".lock");

    spill(path, R"({"tenants": {)");
    const auto cut = registry_file::load(path, k_range);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code == Errc::unusable);
    CHECK(cut.error().what.find(path) != std::string::npos);
    CHECK(cut.error().what.find("byte ") != std::string::npos);
}
