#include "files/announced_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/announced_file: kept, read back, forgotten") {
    const ScratchDir dir;
    const std::string path = dir / "announced.json";
    const Announced announced{url("http://gw.local:8443"), UnixTime(1'800'000'000)};
    CHECK_FALSE(announced_file::load(path).value().has_value());
    CHECK(announced_file::store(path, announced).value() == Change::changed);
    CHECK(announced_file::store(path, announced).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(announced_file::load(path).value() == announced);
    CHECK(announced_file::remove(path).value() == Change::changed);
}

TEST_CASE("files/announced_file: a text of another shape fails") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "[]",
        "{}",
        R"({"url":"http://gw.local:8443"})",
        R"({"url":"gw.local:8443","at":1})",
        R"({"url":"http://gw.local:8443","at":"1"})",
        R"({"url":"http://gw.local:8443","at":-1})",
    }));
    CAPTURE(text);
    CHECK_FALSE(announced_file::parse(text));
}
