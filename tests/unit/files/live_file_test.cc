#include "files/live_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

std::vector<LiveBox> sample() {
    return {{label("zoe"), name("zoe.example.org"), port(20001), std::nullopt},
            {label("mattbox"), name("mattbox.example.org"), port(20000), pass("480000")}};
}

} // namespace

TEST_CASE("files/live_file: boxes keep their order and their passes") {
    CHECK(live_file::parse(live_file::render(sample())).value() == sample());
    CHECK(live_file::parse(live_file::render({})).value().empty());
}

TEST_CASE("files/live_file: a pass of another shape counts as none") {
    const std::string pass_text =
        GENERATE(values<std::string>({"7", "null", R"("")", R"("v1.1.abc")", "[]"}));
    const auto boxes =
        live_file::parse(R"({"boxes":[{"id":"a","hostname":"a.example.org","port":20000,"pass":)" +
                         pass_text + "}]}");
    REQUIRE(boxes);
    REQUIRE(boxes->size() == 1);
    CHECK_FALSE(boxes->front().pass);
}

TEST_CASE("files/live_file: a list that is not whole fails") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "{}",
        "[]",
        R"({"boxes":{}})",
        R"({"boxes":[7]})",
        R"({"boxes":[{"hostname":"a.example.org","port":20000}]})",
        R"({"boxes":[{"id":"A","hostname":"a.example.org","port":20000}]})",
        R"({"boxes":[{"id":"a","hostname":"","port":20000}]})",
        R"({"boxes":[{"id":"a","hostname":"a.example.org","port":0}]})",
        R"({"boxes":[{"id":"a","hostname":"a.example.org","port":65536}]})",
        R"({"boxes":[{"id":"a","hostname":"a.example.org","port":"20000"}]})",
        R"({"boxes":[{"id":"a","hostname":"a.example.org","port":20000}])",
    }));
    CAPTURE(text);
    CHECK_FALSE(live_file::parse(text));
}

TEST_CASE("files/live_file: stored for the owner alone; no list is not an empty list") {
    const ScratchDir dir;
    const std::string path = dir / "live.json";
    CHECK_FALSE(live_file::load(path).value().has_value());
    CHECK(live_file::store(path, {}).value() == Change::changed);
    CHECK(live_file::load(path).value()->empty());
    CHECK(live_file::store(path, sample()).value() == Change::changed);
    CHECK(live_file::store(path, sample()).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(live_file::load(path).value() == sample());
}
