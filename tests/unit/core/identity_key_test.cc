#include "core/identity_key.h"

#include "unit/core/make_identity.h"

using namespace losos;
using namespace losos::make;

namespace {

const std::string k_v1 = "302e020100300506032b657004220420";
const std::string k_v2 = "3051020101300506032b657004220420";
const std::string k_v2_explicit = "3053020101300506032b657004220420";

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return result;
}

} // namespace

TEST_CASE("core/identity_key: a seed of 64 hex digits is a private key") {
    const auto key = sound(IdentityKey::parse(k_root_seed));
    CHECK(key.public_key().text() == k_root_public);
    CHECK(key.reveal() == k_root_seed);
}

TEST_CASE("core/identity_key: the hex of a PKCS#8 document is one too") {
    const std::string seed(k_root_seed);
    const std::string tail = std::string(k_root_public);
    for (const auto& text :
         {k_v1 + seed, k_v2 + seed + "812100" + tail, k_v2_explicit + seed + "a123032100" + tail}) {
        INFO(text);
        const auto key = sound(IdentityKey::parse(text));
        CHECK(key.public_key().text() == k_root_public);
        CHECK(key.reveal() == k_root_seed);
    }
}

TEST_CASE("core/identity_key: blanks around a key and upper case do not count") {
    CHECK(sound(IdentityKey::parse(" " + upper(k_root_seed) + "\r\n")).reveal() == k_root_seed);
    CHECK(sound(IdentityKey::parse(upper(k_v1 + std::string(k_root_seed)) + "\n")).reveal() ==
          k_root_seed);
    CHECK(sound(IdentityPublicKey::parse("\n" + upper(k_root_public) + " ")).text() ==
          k_root_public);
}

TEST_CASE("core/identity_key: a public key in a document that is another's is refused") {
    const auto key =
        IdentityKey::parse(k_v2 + std::string(k_root_seed) + "812100" + std::string(k_edge_public));
    REQUIRE_FALSE(key);
    CHECK(key.error().what.find("not the one") != std::string::npos);
}

TEST_CASE("core/identity_key: what is no private key is refused, and nothing of it said") {
    const std::string seed(k_root_seed);
    for (const auto& text :
         {std::string(), seed.substr(1), seed + "0", seed.substr(2) + "zz", k_v1 + seed.substr(2),
          k_v1 + seed + "00", k_v2 + seed, k_v2 + seed + "a123032100" + std::string(k_root_public),
          k_v1 + seed + "812100" + std::string(k_root_public),
          // X25519 in the place of Ed25519.
          "302e020100300506032b656e04220420" + seed, seed + "\n" + seed, seed.substr(0, 63) + "\n1",
          std::string("-----BEGIN PRIVATE KEY-----")}) {
        INFO(text);
        const auto key = IdentityKey::parse(text);
        REQUIRE_FALSE(key);
        CHECK(key.error().what.find(seed.substr(4, 8)) == std::string::npos);
    }
}

TEST_CASE("core/identity_key: no two keys made are the same, and each is read back") {
    const auto one = sound(IdentityKey::make());
    const auto two = sound(IdentityKey::make());
    CHECK(one.reveal() != two.reveal());
    CHECK(sound(IdentityKey::parse(one.reveal())).public_key() == one.public_key());
    CHECK(sound(IdentityPublicKey::parse(one.public_key().text())) == one.public_key());
}

TEST_CASE("core/identity_key: a signature is its owner's, of its text alone") {
    const auto signature = sound(root_key().sign("text"));
    CHECK(signature.text().size() == 128);
    CHECK(is_signed_by(root_key().public_key(), "text", signature));
    CHECK_FALSE(is_signed_by(root_key().public_key(), "text\n", signature));
    CHECK_FALSE(is_signed_by(edge_key().public_key(), "text", signature));
    CHECK(sound(IdentitySignature::parse(upper(signature.text()))) == signature);
}

TEST_CASE("core/identity_key: a public key is 64 hex digits of a point somebody can own") {
    const std::string key(k_root_public);
    for (const auto& text :
         {std::string(), key.substr(1), key + "00", key.substr(2) + "0x", key + "\n" + key,
          std::string(64, '0'), std::string(64, 'f'), "01" + std::string(62, '0')}) {
        INFO(text);
        CHECK_FALSE(IdentityPublicKey::parse(text));
    }
}

TEST_CASE("core/identity_key: a signature is 128 hex digits") {
    const std::string digits(128, 'a');
    CHECK(sound(IdentitySignature::parse(digits)).text() == digits);
    for (const auto& text : {std::string(), digits.substr(1), digits + "a", digits + "\n",
                             digits.substr(2) + "zz", digits.substr(1) + " "}) {
        CHECK_FALSE(IdentitySignature::parse(text));
    }
}
