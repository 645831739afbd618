#include "files/domains_file.h"
#include "files/public_names_file.h"
#include "files/vouch_file.h"
#include "files/zone_file.h"

#include "support/catch.h"
#include "unit/core/make_domains.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

constexpr UnixTime k_now{1'800'000'000};

DomainClaim waiting() {
    return new_claim(label("ben"), domain("www.example.org"), voucher(k_other_uuid), k_now);
}

DomainClaim live() {
    auto claim = new_claim(label("anna"), domain("cloud.example.org"), voucher(), k_now);
    take_finding(claim, k_right, DomainTaken::no, k_now);
    take_finding(claim, k_no_proof, DomainTaken::no, k_now + UnixTime(3600));
    return claim;
}

} // namespace

TEST_CASE("files/domains_file: what is rendered is read back") {
    const std::vector<DomainClaim> claims{live(), waiting()};
    CHECK(sound(domains_file::parse(domains_file::render(claims))) == claims);
    CHECK(sound(domains_file::parse(domains_file::render({}))).empty());
}

TEST_CASE(
    "files/domains_file: a claim that makes no sense spoils the file, for it is not rebuilt") {
    const auto text = domains_file::render({live(), waiting()});
    const auto [from, to] = GENERATE(table<std::string, std::string>(
        {{R"("anna")", R"("Anna")"},
         {R"("cloud.example.org")", R"("localhost")"},
         {R"("live")", R"("alive")"},
         {R"("acct_1Abc")", R"("")"},
         {R"("failed_checks": 1)", R"("failed_checks": 3)"},
         {R"("failed_checks": 1)", R"("failed_checks": -1)"},
         {R"("txtMissing")", R"("gone")"},
         {R"("waiting_since": 1800000000)", R"("waiting_since": null)"},
         {R"("checked_at": 1800003600)", R"("checked_at": "now")"},
         {R"("claims")", R"("claim")"},
         {R"({
      "box": "anna")",
          R"(7, {
      "box": "anna")"}}));
    auto odd = text;
    const auto at = odd.find(from);
    REQUIRE(at != std::string::npos);
    odd.replace(at, from.size(), to);
    const auto parsed = domains_file::parse(odd);
    REQUIRE_FALSE(parsed.has_value());
    CAPTURE(parsed.error().what);
    CHECK((from == R"("claims")" || parsed.error().what.find("byte") != std::string::npos));
}

TEST_CASE("files/domains_file: one box claims one domain once") {
    auto claims = std::vector{live(), live()};
    CHECK_FALSE(domains_file::parse(domains_file::render(claims)).has_value());
    claims[1].box = label("ben");
    CHECK(domains_file::parse(domains_file::render(claims)).has_value());
}

TEST_CASE("files/domains_file: absent, loaded, unusable") {
    const ScratchDir scratch;
    const auto path = scratch / "domains.json";
    CHECK_FALSE(sound(domains_file::load(path)).has_value());
    CHECK(sound(domains_file::store(path, {live()})) == Change::changed);
    CHECK(sound(domains_file::store(path, {live()})) == Change::unchanged);
    CHECK(sound(domains_file::load(path)) == std::vector{live()});
    CHECK(mode_of(path) == 0600);
    spill(path, R"({"claims": [})");
    const auto spoilt = domains_file::load(path);
    REQUIRE_FALSE(spoilt.has_value());
    CHECK(spoilt.error().code == Errc::unusable);
    CHECK(spoilt.error().what.find(path) != std::string::npos);
    CHECK(spoilt.error().what.find("byte") != std::string::npos);
}

TEST_CASE("files/vouch_file: the market's rows are read, ready or not") {
    const auto list = sound(vouch_file::parse(R"({"sellers": {
        "anna": {"account_id": "acct_1Abc", "ready": true,
                 "box_uuid": "5E1B7D0C-3A55-4C8E-9D52-1F0A7C3E9B10", "note": 1},
        "ben": {"account_id": "acct_2", "ready": false, "box_uuid": null},
        "cleo": {"account_id": "", "ready": true, "box_uuid": ""},
        "dan": {}}, "at": 7})"));
    CHECK(list.faulty.empty());
    CHECK(list.sellers.size() == 4);
    CHECK(vouchers_of(list) == Vouchers{{label("anna"), voucher()}});
}

TEST_CASE("files/vouch_file: one odd row vouches for nobody, and the others go on") {
    const auto* row = GENERATE(R"("Anna": {"ready": true})", R"("": {})", R"("ben": 7)",
                               R"("ben": {"ready": "yes"})", R"("ben": {"account_id": 7})",
                               R"("ben": {"account_id": "a\nb"})", R"("ben": {"box_uuid": "5e1b"})",
                               R"("ben": {"box_uuid": ["5e1b"]})", R"("ben": null)");
    const auto list = sound(vouch_file::parse(
        std::string(R"({"sellers": {"zoe": {"account_id": "acct_1Abc", "ready": true,
                        "box_uuid": "5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b10"}, )") +
        row + "}}"));
    CHECK(list.faulty.size() == 1);
    CHECK(vouchers_of(list) == Vouchers{{label("zoe"), voucher()}});
}

TEST_CASE("files/vouch_file: a text of another shape is no vouch file") {
    const auto* text = GENERATE("", "[]", "{}", R"({"sellers": []})", R"({"sellers": null})",
                                R"({"sellers": {"a": {}, "a": {}}})", R"({"sellers": {}} x)");
    CHECK_FALSE(vouch_file::parse(text).has_value());
}

TEST_CASE("files/vouch_file: what is rendered is read back") {
    VouchList list;
    list.sellers = {{label("anna"), {voucher().account_id, true, voucher().box_uuid}},
                    {label("ben"), {std::nullopt, false, std::nullopt}}};
    CHECK(sound(vouch_file::parse(vouch_file::render(list))) == list);
    const ScratchDir scratch;
    const auto path = scratch / "vouched.json";
    CHECK_FALSE(sound(vouch_file::load(path)).has_value());
    CHECK(sound(vouch_file::store(path, list)) == Change::changed);
    CHECK(sound(vouch_file::load(path)) == list);
}

TEST_CASE("files/zone_file: anybody may read the zone") {
    const ScratchDir scratch;
    const auto path = scratch / "losos.example.zone";
    CHECK(sound(zone_file::load(path)) == std::nullopt);
    CHECK(sound(zone_file::store(path, "zone\n")) == Change::changed);
    CHECK(sound(zone_file::store(path, "zone\n")) == Change::unchanged);
    CHECK(sound(zone_file::load(path)) == "zone\n");
    CHECK(mode_of(path) == 0644);
}

TEST_CASE("files/public_names_file: the box's names are in order, each once") {
    const auto text = public_names_file::render(
        {domain("www.example.org"), domain("cloud.example.org"), domain("www.example.org")});
    CHECK(sound(public_names_file::parse(text)) ==
          std::vector{domain("cloud.example.org"), domain("www.example.org")});
    CHECK_FALSE(public_names_file::parse(R"({"domains": ["localhost"]})").has_value());
    CHECK_FALSE(public_names_file::parse(R"({"domains": [7]})").has_value());
    CHECK_FALSE(public_names_file::parse(R"({})").has_value());
}
