#include "files/identity_cert_file.h"
#include "files/identity_key_file.h"
#include "files/root_key_file.h"

#include "support/catch.h"
#include "unit/core/make_identity.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/identity_key_file: a key is made once, for its owner alone") {
    const ScratchDir dir;
    const std::string path = dir / "identity.key";
    CHECK_FALSE(identity_key_file::load(path).value().has_value());
    CHECK(identity_key_file::create(path, edge_key()).value() == Change::changed);
    CHECK(identity_key_file::create(path, root_key()).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(slurp(path) == std::string(k_edge_seed) + "\n");
    CHECK(identity_key_file::load(path).value()->public_key() == edge_key().public_key());
}

TEST_CASE("files/identity_key_file: a PKCS#8 document in hex is read") {
    const ScratchDir dir;
    const std::string path = dir / "identity.key";
    spill(path, "302e020100300506032b657004220420" + std::string(k_edge_seed) + "\n");
    CHECK(identity_key_file::load(path).value()->public_key() == edge_key().public_key());
}

TEST_CASE("files/identity_key_file: what is no key is unusable, its text unsaid") {
    const ScratchDir dir;
    const std::string path = dir / "identity.key";
    for (const std::string text : {"", "MARKER", "\n"}) {
        spill(path, text);
        const auto key = identity_key_file::load(path);
        REQUIRE_FALSE(key);
        CHECK(key.error().code == Errc::unusable);
        CHECK(key.error().what.find(path) != std::string::npos);
        CHECK(key.error().what.find("MARKER") == std::string::npos);
    }
}

TEST_CASE("files/identity_cert_file: a certificate that everybody may read") {
    const ScratchDir dir;
    const std::string path = dir / "identity.cert.json";
    CHECK_FALSE(identity_cert_file::load(path).value().has_value());
    CHECK(identity_cert_file::store(path, certificate()).value() == Change::changed);
    CHECK(identity_cert_file::store(path, certificate()).value() == Change::unchanged);
    CHECK(mode_of(path) == 0644);
    CHECK(identity_cert_file::load(path).value() == certificate());
    spill(path, slurp(path).substr(0, 40));
    const auto cut = identity_cert_file::load(path);
    CHECK(cut.error().code == Errc::unusable);
    CHECK(cut.error().what.find(path) != std::string::npos);
}

TEST_CASE("files/root_key_file: one line with one key") {
    const ScratchDir dir;
    const std::string path = dir / "root.key.pub";
    CHECK(root_key_file::public_path(dir / "root.key") == path);
    CHECK_FALSE(root_key_file::load(path).value().has_value());
    CHECK(root_key_file::store(path, root_key().public_key()).value() == Change::changed);
    CHECK(mode_of(path) == 0644);
    CHECK(slurp(path) == std::string(k_root_public) + "\n");
    for (const std::string end : {"", "\n", "\r\n", "\n\n"}) {
        spill(path, std::string(k_root_public) + end);
        CHECK(root_key_file::load(path).value() == root_key().public_key());
    }
}

TEST_CASE("files/root_key_file: an empty file, two keys and half a key are unusable") {
    const ScratchDir dir;
    const std::string path = dir / "root.key.pub";
    const std::string key(k_root_public);
    for (const std::string& text :
         {std::string(), std::string("\n"), key + "\n" + std::string(k_edge_public) + "\n",
          key + "\n" + key + "\n", key + " " + key, key + "\n# the root\n", key.substr(1),
          std::string(64, '0')}) {
        INFO(text);
        spill(path, text);
        const auto loaded = root_key_file::load(path);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == Errc::unusable);
    }
}
