#include "files/noise_key_file.h"
#include "files/pin_file.h"
#include "files/relay_pass_file.h"
#include "files/relay_pass_key_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/noise_key_file: a private key is made once and never overwritten") {
    const ScratchDir dir;
    const std::string path = dir / "noise.key";
    CHECK_FALSE(noise_key_file::load(path).value().has_value());
    CHECK(noise_key_file::create_private(path, noise_key('a')).value() == Change::changed);
    CHECK(noise_key_file::create_private(path, noise_key('b')).value() == Change::unchanged);
    CHECK(noise_key_file::load(path).value() == noise_key('a'));
    CHECK(mode_of(path) == 0600);
}

TEST_CASE("files/noise_key_file: a public key's name is no private key's") {
    const ScratchDir dir;
    const std::string path = noise_key_file::public_path(dir / "noise.key");
    CHECK(noise_key_file::store_public(path, noise_key('a')).value() == Change::changed);
    CHECK(noise_key_file::load(path).value() == noise_key('a'));
    const auto loaded = noise_key_file::load_private(path);
    REQUIRE_FALSE(loaded.has_value());
    CHECK(loaded.error().code == Errc::unusable);
    CHECK(loaded.error().what ==
          path + " is the name of a public key; name the private one, without .pub");
    CHECK(noise_key_file::create_private(dir / "k.pub", noise_key('a')).error().code ==
          Errc::unusable);
}

TEST_CASE("files/noise_key_file: a wrong public key is rewritten") {
    const ScratchDir dir;
    const std::string path = noise_key_file::public_path(dir / "noise.key");
    CHECK(path == dir / "noise.key.pub");
    CHECK(noise_key_file::store_public(path, noise_key('a')).value() == Change::changed);
    CHECK(noise_key_file::store_public(path, noise_key('b')).value() == Change::changed);
    CHECK(noise_key_file::load(path).value() == noise_key('b'));
    CHECK(mode_of(path) == 0644);
}

TEST_CASE("files/noise_key_file: a key that makes no sense is unusable, its text unsaid") {
    const ScratchDir dir;
    const std::string path = dir / "noise.key";
    spill(path, "MARKER");
    const auto key = noise_key_file::load(path);
    REQUIRE_FALSE(key);
    CHECK(key.error().code == Errc::unusable);
    CHECK(key.error().what.find(path) != std::string::npos);
    CHECK(key.error().what.find("MARKER") == std::string::npos);
}

TEST_CASE("files/pin_file: an edge is pinned once, in a directory of its own") {
    const ScratchDir dir;
    const std::string path = pin_file::path_in(dir / "pins", endpoint("gw.local:8443"));
    CHECK(path == dir / "pins/gw.local_8443.pub");
    CHECK_FALSE(pin_file::load(path).value().has_value());
    CHECK(pin_file::create(path, noise_key('a')).value() == Change::changed);
    CHECK(pin_file::create(path, noise_key('b')).value() == Change::unchanged);
    CHECK(pin_file::load(path).value() == noise_key('a'));
    CHECK(mode_of(path) == 0600);
    CHECK(mode_of(dir / "pins") == 0700);
}

TEST_CASE("files/relay_pass_key_file: a key is made once and never overwritten") {
    const ScratchDir dir;
    const std::string path = dir / "relay-pass.key";
    const auto key = RelayPassKey::make();
    CHECK_FALSE(relay_pass_key_file::load(path).value().has_value());
    CHECK(relay_pass_key_file::create(path, key).value() == Change::changed);
    CHECK(relay_pass_key_file::create(path, RelayPassKey::make()).value() == Change::unchanged);
    CHECK(relay_pass_key_file::load(path).value()->same_as(key));
    CHECK(slurp(path) == key.reveal() + "\n");
    CHECK(mode_of(path) == 0600);
    const std::string odd = GENERATE(std::string(), std::string("MARKER"), std::string(63, 'a'));
    spill(path, odd);
    const auto unusable = relay_pass_key_file::load(path);
    CHECK(unusable.error().code == Errc::unusable);
    CHECK(unusable.error().what.find("MARKER") == std::string::npos);
}

TEST_CASE("files/relay_pass_file: one line") {
    const ScratchDir dir;
    const std::string path = dir / "relay-pass";
    CHECK_FALSE(relay_pass_file::load(path).value().has_value());
    CHECK(relay_pass_file::store(path, pass("480000")).value() == Change::changed);
    CHECK(mode_of(path) == 0600);
    CHECK(slurp(path) == pass("480000").text() + "\n");
    CHECK(relay_pass_file::load(path).value() == pass("480000"));

    spill(path, pass("480000").text());
    CHECK(relay_pass_file::load(path).value() == pass("480000"));
    spill(path, pass("480000").text() + "\r\n");
    CHECK(relay_pass_file::load(path).value() == pass("480000"));

    const std::string odd = GENERATE(values<std::string>({"", "\n", "v1.480000", "?\n"}));
    spill(path, odd);
    CHECK(relay_pass_file::load(path).error().code == Errc::unusable);
    spill(path, pass("480000").text() + "\n\n");
    CHECK(relay_pass_file::load(path).error().code == Errc::unusable);

    CHECK(relay_pass_file::remove(path).value() == Change::changed);
    CHECK(relay_pass_file::remove(path).value() == Change::unchanged);
}
