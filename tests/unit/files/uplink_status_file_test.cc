#include "files/uplink_status_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

UplinkStatus sample() {
    UplinkStatus status;
    status.at = UnixTime(1'800'000'020);
    status.answered_at = UnixTime(1'800'000'000);
    status.hub = "https://edge.example.org";
    status.id = "acme";
    status.accepted = {{label("mattbox"), name("mattbox.acme.example.org"), port(20001)}};
    status.refused = {{"Odd", "the id is no DNS label"}};
    status.left_out = {label("box65")};
    status.held_back = "the registrar's status is of another boot";
    status.error = "the hub answered 401";
    return status;
}

} // namespace

TEST_CASE("files/uplink_status_file: what is rendered is read back") {
    CHECK(uplink_status_file::parse(uplink_status_file::render(sample())).value() == sample());
    const UplinkStatus bare;
    CHECK(uplink_status_file::parse(uplink_status_file::render(bare)).value() == bare);
}

TEST_CASE("files/uplink_status_file: a text of another shape fails") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "{}",
        "[]",
        R"({"at":-1,"hub":"","id":"","accepted":[],"refused":[],"left_out":[]})",
        R"({"at":1,"hub":7,"id":"","accepted":[],"refused":[],"left_out":[]})",
        R"({"at":1,"hub":"","id":"","accepted":{},"refused":[],"left_out":[]})",
        R"({"at":1,"hub":"","id":"","accepted":[{"id":"a"}],"refused":[],"left_out":[]})",
        R"({"at":1,"hub":"","id":"","accepted":[],"refused":["a"],"left_out":[]})",
        R"({"at":1,"hub":"","id":"","accepted":[],"refused":[],"left_out":["A"]})",
        R"({"at":1,"hub":"","id":"","accepted":[],"refused":[],"left_out":[],"error":7})",
    }));
    CAPTURE(text);
    CHECK_FALSE(uplink_status_file::parse(text));
}

TEST_CASE("files/uplink_status_file: everybody may read it") {
    const ScratchDir dir;
    const std::string path = dir / "uplink-status.json";
    CHECK_FALSE(uplink_status_file::load(path).value().has_value());
    CHECK(uplink_status_file::store(path, sample()).value() == Change::changed);
    CHECK(mode_of(path) == 0644);
    CHECK(uplink_status_file::load(path).value() == sample());
    CHECK(uplink_status_file::remove(path).value() == Change::changed);
}
