#include "base/crypto.h"

#include "base/hex.h"

#include "support/catch.h"

#include <set>
#include <string>
#include <tuple>

using namespace losos;

namespace {

std::string hex_of(const Digest& digest) {
    return hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

} // namespace

TEST_CASE("base/crypto: a digest is BLAKE2b of 32 bytes") {
    CHECK(hex_of(digest_of("")) ==
          "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    CHECK(hex_of(digest_of("abc")) ==
          "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

TEST_CASE("base/crypto: SHA-256 is FIPS 180-4's") {
    CHECK(hex_encode(sha256_of("")) ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex_encode(sha256_of("abc")) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("base/crypto: HMAC-SHA256 gives the codes of RFC 4231") {
    const std::tuple<std::string, std::string, const char*> cases[] = {
        {std::string(20, '\x0b'), "Hi There",
         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", "what do ya want for nothing?",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {std::string(20, '\xaa'), std::string(50, '\xdd'),
         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"}};
    for (const auto& [key, text, code] : cases) {
        CHECK(hex_of(hmac_sha256(key, text)) == code);
    }
}

TEST_CASE("base/crypto: digests are equal only when their texts are") {
    CHECK(equal_in_constant_time(digest_of("token"), digest_of("token")));
    CHECK_FALSE(equal_in_constant_time(digest_of("token"), digest_of("Token")));
    CHECK_FALSE(equal_in_constant_time(digest_of(""), digest_of(std::string(1, '\0'))));
}

TEST_CASE("base/crypto: random bytes have the length asked for and differ") {
    CHECK(random_bytes(0).empty());
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) {
        CHECK(random_bytes(32).size() == 32);
        seen.insert(random_bytes(32));
    }
    CHECK(seen.size() == 100);
}

TEST_CASE("base/crypto: a random number stays below its bound and reaches all below it") {
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 1000; ++i) {
        seen.insert(random_below(5));
    }
    CHECK(seen == std::set<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(random_below(1) == 0);
}

TEST_CASE("base/crypto: base64 follows RFC 4648 with padding") {
    const std::pair<const char*, const char*> cases[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff", "+/8="},
    };
    for (const auto& [bytes, text] : cases) {
        CHECK(base64_encode(bytes) == text);
        REQUIRE(base64_decode(text));
        CHECK(*base64_decode(text) == bytes);
    }
    const std::string key = random_bytes(32);
    CHECK(*base64_decode(base64_encode(key)) == key);
}

TEST_CASE("base/crypto: what is not base64 to the last character is refused") {
    for (const char* const text : {"Z", "Zg", "Zg=", "Zg===", "Zm9v\n", " Zm9v", "Zm 9v",
                                   "Zh==", "-_8=", "Zg==Zg==", "====", "é"}) {
        INFO(text);
        CHECK_FALSE(base64_decode(text));
    }
    CHECK_FALSE(base64_decode(std::string_view("Zm9v\0", 5)));
    // libsodium alone would take these for digits.
    CHECK_FALSE(base64_decode("\xff\xff\xff"
                              "e"));
}

TEST_CASE("base/crypto: the public key of RFC 7748's example is found") {
    const auto alice =
        hex_decode("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    REQUIRE(alice);
    const auto key = x25519_public_key(*alice);
    REQUIRE(key);
    CHECK(hex_encode(*key) == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
}

TEST_CASE("base/crypto: a fresh private key has 32 bytes and a public key") {
    const std::string private_key = make_x25519_private_key();
    CHECK(private_key.size() == 32);
    CHECK(make_x25519_private_key() != private_key);
    REQUIRE(x25519_public_key(private_key));
    CHECK(x25519_public_key(private_key)->size() == 32);
    CHECK(*x25519_public_key(private_key) != private_key);
}

TEST_CASE("base/crypto: a private key of another length is refused") {
    for (const std::size_t size : {0U, 31U, 33U, 64U}) {
        CHECK_FALSE(x25519_public_key(std::string(size, 'k')));
    }
}

TEST_CASE("base/crypto: keys that hide nothing are told") {
    CHECK(x25519_is_weak(std::string(32, '\0')));
    CHECK(x25519_is_weak(
        *hex_decode("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")));
    CHECK(x25519_is_weak(std::string(31, 'k')));
    CHECK_FALSE(x25519_is_weak(make_x25519_private_key()));
    CHECK_FALSE(x25519_is_weak(*x25519_public_key(make_x25519_private_key())));
}

TEST_CASE("base/crypto: Ed25519 makes the keys and signatures of RFC 8032") {
    const struct {
        const char* seed;
        const char* public_key;
        const char* text;
        const char* signature;
    } cases[] = {
        {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
         "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
         "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701"
         "cf9b46bd25bf5f0595bbe24655141438e7a100b"},
        {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
         "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
         "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d"
         "0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
        {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
         "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
         "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f7609"
         "84dc6594a7c15e9716ed28dc027beceea1ec40a"},
    };
    for (const auto& each : cases) {
        const auto seed = *hex_decode(each.seed);
        const auto text = *hex_decode(each.text);
        const auto key = ed25519_public_key(seed);
        REQUIRE(key);
        CHECK(hex_encode(*key) == each.public_key);
        CHECK(ed25519_is_key(*key));
        const auto signature = ed25519_sign(seed, text);
        REQUIRE(signature);
        CHECK(hex_encode(*signature) == each.signature);
        CHECK(ed25519_verify(*key, text, *signature));
        CHECK_FALSE(ed25519_verify(*key, text + "x", *signature));
    }
}

TEST_CASE("base/crypto: a spoilt signature, another's key and odd lengths verify nothing") {
    const auto seed = make_ed25519_seed();
    CHECK(seed != make_ed25519_seed());
    const auto key = *ed25519_public_key(seed);
    const auto signature = *ed25519_sign(seed, "text");
    CHECK(ed25519_verify(key, "text", signature));
    for (std::size_t at = 0; at < signature.size(); ++at) {
        auto spoilt = signature;
        spoilt[at] = static_cast<char>(spoilt[at] ^ 1);
        CHECK_FALSE(ed25519_verify(key, "text", spoilt));
    }
    CHECK_FALSE(ed25519_verify(*ed25519_public_key(make_ed25519_seed()), "text", signature));
    CHECK_FALSE(ed25519_verify(key, "text", signature.substr(1)));
    CHECK_FALSE(ed25519_verify(key, "text", signature + '\0'));
    CHECK_FALSE(ed25519_verify(key.substr(1), "text", signature));
    CHECK_FALSE(ed25519_verify("", "text", signature));
    for (const std::size_t size : {0U, 31U, 33U, 64U}) {
        CHECK_FALSE(ed25519_public_key(std::string(size, 'k')));
        CHECK_FALSE(ed25519_sign(std::string(size, 'k'), "text"));
    }
}

TEST_CASE("base/crypto: a key with which anything is signed is no Ed25519 key") {
    // The neutral element as key and as R, with S = 0: a verifier that only did the sum would take
    // it for a signature of any text.
    const std::string neutral = '\1' + std::string(31, '\0');
    CHECK_FALSE(ed25519_is_key(neutral));
    CHECK_FALSE(ed25519_verify(neutral, "any text", neutral + std::string(32, '\0')));
    CHECK_FALSE(ed25519_is_key(std::string(32, '\0')));
    CHECK_FALSE(ed25519_is_key(std::string(32, '\xff')));
    CHECK_FALSE(ed25519_is_key(std::string(31, 'k')));
}

TEST_CASE("base/crypto: a wiped text is empty") {
    std::string text(64, 's');
    text.resize(40);
    wipe(text);
    CHECK(text.empty());
    char bytes[] = "secret";
    wipe_bytes(bytes, 3);
    CHECK(std::string(bytes, 6) == std::string(3, '\0') + "ret");
}
