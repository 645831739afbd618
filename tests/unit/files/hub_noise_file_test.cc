#include "files/hub_noise_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

#include <filesystem>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/hub_noise_file: a key and the hub it belongs to") {
    const ScratchDir dir;
    const std::string path = dir / "hub-noise.pub";
    const HubNoisePin pin{noise_key('k'), url("https://edge.example.org")};

    CHECK_FALSE(hub_noise_file::load(path).value().has_value());
    CHECK(hub_noise_file::store(path, pin).value() == Change::changed);
    CHECK(hub_noise_file::store(path, pin).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(mode_of(dir / "hub-noise.for") == 0600);
    CHECK(hub_noise_file::load(path).value() == pin);

    SECTION("another hub's key replaces both") {
        const HubNoisePin other{noise_key('o'), url("http://10.0.0.2:8443")};
        CHECK(hub_noise_file::store(path, other).value() == Change::changed);
        CHECK(hub_noise_file::load(path).value() == other);
    }
    SECTION("half a pair pins nothing") {
        std::filesystem::remove(dir / "hub-noise.for");
        CHECK_FALSE(hub_noise_file::load(path).value().has_value());
    }
    SECTION("the other half pins nothing either") {
        std::filesystem::remove(path);
        CHECK_FALSE(hub_noise_file::load(path).value().has_value());
    }
    SECTION("a file that makes no sense is never taken for a missing one") {
        const bool key = GENERATE(true, false);
        spill(key ? path : dir / "hub-noise.for", "?");
        const auto loaded = hub_noise_file::load(path);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == Errc::unusable);
        CHECK(loaded.error().what.ends_with(
            "; take the uplink away with \"losos-edge uplink clear\", and set it again with "
            "\"losos-edge uplink set\""));
    }
    SECTION("removed together") {
        CHECK(hub_noise_file::remove(path).value() == Change::changed);
        CHECK(hub_noise_file::remove(path).value() == Change::unchanged);
        CHECK_FALSE(test::exists(dir / "hub-noise.for"));
    }
}

TEST_CASE("files/hub_noise_file: a pin without .pub in its name has a neighbour too") {
    CHECK(hub_noise_file::for_path("/k/hub.pub") == "/k/hub.for");
    CHECK(hub_noise_file::for_path("/k/hub") == "/k/hub.for");
}
