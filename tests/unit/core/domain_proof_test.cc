// The expected digests were computed with Python's hashlib.
#include "core/domain_proof.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

TEST_CASE("a box's label in the zone is made of its UUID alone") {
    CHECK(zone_label_of(voucher().box_uuid).text() == "4bc6f6e69a9f040f");
    CHECK(zone_label_of(voucher(k_other_uuid).box_uuid).text() == "855656ad5562941e");
    CHECK(zone_label_of(sound(BoxUuid::parse("5E1B7D0C-3A55-4C8E-9D52-1F0A7C3E9B10"))).text() ==
          "4bc6f6e69a9f040f");
    CHECK(sound(zone_name_of(voucher().box_uuid, name("losos.example"))).text() ==
          "4bc6f6e69a9f040f.losos.example");
}

TEST_CASE("a zone that leaves no room for a label gives no name") {
    std::string zone;
    for (int i = 0; i < 3; ++i) {
        zone += std::string(61, 'a') + ".";
    }
    CHECK_FALSE(zone_name_of(voucher().box_uuid, name(zone + std::string(61, 'b'))).has_value());
}

TEST_CASE("a proof is made of domain, box and account") {
    CHECK(proof_text_of(domain("Cloud.example.org."), voucher()) ==
          "losos-domain-v1=684bfc3e38aa88bfa7bb7b9fe279d01b");
    CHECK(proof_text_of(domain("xn--bcher-kva.example"), voucher(k_other_uuid, "Z\xc3\xbcrich")) ==
          "losos-domain-v1=e417f0fe3888594f70d1ddaabf389ee6");
    CHECK(proof_name_of(domain("cloud.example.org")) == "_losos-challenge.cloud.example.org");
}

TEST_CASE("another domain, box or account needs another proof") {
    const auto proof = proof_text_of(domain("cloud.example.org"), voucher());
    CHECK(proof_text_of(domain("cloud.example.net"), voucher()) != proof);
    CHECK(proof_text_of(domain("cloud.example.org"), voucher(k_other_uuid)) != proof);
    CHECK(proof_text_of(domain("cloud.example.org"), voucher(k_uuid, "acct_2")) != proof);
}
