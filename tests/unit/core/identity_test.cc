#include "core/identity.h"

#include "unit/core/make_identity.h"

using namespace losos;
using namespace losos::make;

// The signatures here were made with OpenSSL.

TEST_CASE("core/identity: the root signs five lines") {
    const auto made = certificate();
    CHECK(identity_text(made.name, made.url, made.public_key, made.not_after) ==
          "losos-edge-identity-v1\nLosOS Z\xc3\xbcrich\nhttps://edge.losos.example\n"
          "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c\n1800000000\n");
    CHECK(made.signature.text() ==
          "91eae1a33f248ab21622b70246dc1e953fa0570fdb8a8b291209259fd8404912c20899c7a946f873fce32103"
          "f8c5f92d0749d2772d3f83951454bed509b96d01");
    CHECK(is_signed_by_root(made, root_key().public_key()));
    CHECK_FALSE(is_signed_by_root(made, edge_key().public_key()));
}

TEST_CASE("core/identity: an edge signs the nonce as it was asked") {
    CHECK(nonce_text(nonce()) == "losos-edge-nonce-v1\n00112233445566778899aabbccddeeff\n");
    CHECK(sound(edge_key().sign(nonce_text(nonce()))).text() ==
          "bee4015c563b155a53f239c324421ef8348e9e87b0bc99859786c42fe65ca56bc8e13dc8b32ae0d10e12db23"
          "412f517ffdbc7488dc025addda05135452b36f09");
    const auto upper_case = nonce("00112233445566778899AABBCCDDEEFF");
    CHECK(sound(edge_key().sign(nonce_text(upper_case))).text() ==
          "d67b92c8f85f1314e06e83585a2dd051518ae8d4328462a9ed142982c404c0a19cbe85cab89d62a22fd67d82"
          "432077dc9436cad41d0daa0c565c558163f7dc09");
}

TEST_CASE("core/identity: a URL is signed letter by letter and compared as a URL") {
    auto given = certificate();
    given.url = sound(CertifiedUrl::parse("https://Edge.LosOS.example:443/"));
    CHECK_FALSE(is_signed_by_root(given, root_key().public_key()));
    given.signature =
        sound(IdentitySignature::parse("598d145653c21dee8821fb87bc7f601aad2a5687f55d85893071ff942e7"
                                       "6fffa038919666e5680c182952661019d"
                                       "51721a8bb20f886def9db0d4ef37c5d88909"));
    CHECK(is_signed_by_root(given, root_key().public_key()));
    CHECK(given.url.text() == "https://Edge.LosOS.example:443/");
    CHECK(given.url.url() == certificate().url.url());
}

TEST_CASE("core/identity: no signed field can be changed") {
    const auto root = root_key().public_key();
    auto changed = certificate();
    changed.name = sound(IdentityName::parse("LosOS"));
    CHECK_FALSE(is_signed_by_root(changed, root));
    changed = certificate();
    changed.url = sound(CertifiedUrl::parse("http://edge.losos.example"));
    CHECK_FALSE(is_signed_by_root(changed, root));
    changed = certificate();
    changed.public_key = root;
    CHECK_FALSE(is_signed_by_root(changed, root));
    changed = certificate();
    changed.not_after += UnixTime(1);
    CHECK_FALSE(is_signed_by_root(changed, root));
}

TEST_CASE("core/identity: a certificate holds up to its last second") {
    CHECK_FALSE(has_expired(certificate(), UnixTime(0)));
    CHECK_FALSE(has_expired(certificate(), UnixTime(1'800'000'000)));
    CHECK(has_expired(certificate(), UnixTime(1'800'000'001)));
}

TEST_CASE("core/identity: a name is one short line, whatever the language") {
    for (const std::string text : {"edge", "LosOS Z\xc3\xbcrich", " a ", "\xe2\x82\xac"}) {
        CHECK(sound(IdentityName::parse(text)).text() == text);
    }
    CHECK(IdentityName::parse(std::string(128, 'n')));
    CHECK_FALSE(IdentityName::parse(std::string(129, 'n')));
    for (const std::string text : {"", "a\nb", "a\n", "\r", "a\tb", "a\x7f", "a\xc2\x85",
                                   "a\xe2\x80\xa8z", "a\xe2\x80\xa9z", "a\xff", "a\xc3"}) {
        INFO(text);
        CHECK_FALSE(IdentityName::parse(text));
    }
    CHECK_FALSE(IdentityName::parse(std::string("a\0b", 3)));
}

TEST_CASE("core/identity: a certified URL is a scheme, a host and a port on one line") {
    CHECK(CertifiedUrl::parse("http://[::1]:8443"));
    for (const std::string text :
         {"", "edge.losos.example", "https://edge.losos.example/x", "https://u@edge.losos.example",
          "https://edge.losos.example\n", "https://edge.\nlosos.example",
          "ftp://edge.losos.example", "https://edge.losos.example:0"}) {
        INFO(text);
        CHECK_FALSE(CertifiedUrl::parse(text));
    }
    // HttpUrl reads no further than that, and what it does not read would be signed all the same.
    CHECK_FALSE(CertifiedUrl::parse("https://edge.losos.example" + std::string(300, '/')));
}

TEST_CASE("core/identity: a nonce is 32 to 128 hex digits") {
    for (const std::size_t size : {32U, 33U, 127U, 128U}) {
        CHECK(IdentityNonce::parse(std::string(size, 'f')));
        CHECK(IdentityNonce::parse(std::string(size, 'F')));
        CHECK_FALSE(IdentityNonce::parse(std::string(size - 1, 'f') + "g"));
        CHECK_FALSE(IdentityNonce::parse(std::string(size - 1, 'f') + "\n"));
    }
    CHECK_FALSE(IdentityNonce::parse(""));
    CHECK_FALSE(IdentityNonce::parse(std::string(31, 'f')));
    CHECK_FALSE(IdentityNonce::parse(std::string(129, 'f')));
}

TEST_CASE("core/identity: a day is written as people sort them") {
    CHECK(render_day(UnixTime(0)) == "1970-01-01");
    CHECK(render_day(UnixTime(1'800'000'000)) == "2027-01-15");
    CHECK(render_day(UnixTime(253'402'300'799)) == "9999-12-31");
    CHECK(render_day(UnixTime(253'402'300'800)) == "never");
    CHECK(render_day(UnixTime(k_not_after_max)) == "never");
}
