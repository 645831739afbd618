#include "files/refused_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

std::vector<Refusal> sample() {
    return {{url("http://b.local:8443"), 401, UnixTime(1'800'000'000)},
            {url("http://c.local:8443"), 503, UnixTime(1'800'000'060)}};
}

} // namespace

TEST_CASE("files/refused_file: sorted by URL, and the latest of two") {
    const auto now = sample();
    const std::vector<Refusal> jumbled{
        now[1], {now[0].url, 409, UnixTime(1'700'000'000)}, now[0], {now[1].url, 403, UnixTime(1)}};
    CHECK(refused_file::render(jumbled) == refused_file::render(now));
    CHECK(refused_file::parse(refused_file::render(jumbled)).value() == now);
    CHECK(refused_file::parse("{}").value().empty());
}

TEST_CASE("files/refused_file: a text of another shape fails") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "[]",
        R"({"gw.local":{"status":401,"at":1}})",
        R"({"http://gw.local":401})",
        R"({"http://gw.local":{"status":99,"at":1}})",
        R"({"http://gw.local":{"status":600,"at":1}})",
        R"({"http://gw.local":{"at":1}})",
        R"({"http://gw.local":{"status":401}})",
    }));
    CAPTURE(text);
    CHECK_FALSE(refused_file::parse(text));
}

TEST_CASE("files/refused_file: the fault of an entry names it on one line, however odd its name") {
    const auto odd = refused_file::parse("{\"http://other.l\x7f"
                                         "cal\":{\"status\":409,\"at\":1}}");
    REQUIRE_FALSE(odd);
    CHECK(odd.error().what.starts_with("entry \"http://other.l\\x7fcal\" at byte 22: "));
    const auto long_name = refused_file::parse("{\"" + std::string(5000, 'a') + "\":1}");
    REQUIRE_FALSE(long_name);
    CHECK(long_name.error().what.size() < 300);
}

TEST_CASE("files/refused_file: stored for the owner alone") {
    const ScratchDir dir;
    const std::string path = dir / "refused.json";
    CHECK_FALSE(refused_file::load(path).value().has_value());
    CHECK(refused_file::store(path, sample()).value() == Change::changed);
    CHECK(refused_file::store(path, sample()).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(refused_file::load(path).value() == sample());
}
