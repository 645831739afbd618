#include "core/roster.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

ListedWithToken listed(std::string_view id, std::optional<Token> its_token) {
    return {{label(id), name(std::string(id) + ".example"), "/etc/token", true, true,
             name("acme.losos.cfd")},
            std::move(its_token)};
}

EnrolledWithToken enrolled(std::string_view id, std::optional<Token> its_token) {
    return {{label(id), name(std::string(id) + ".lan")}, std::move(its_token)};
}

Roster sample() {
    return merge_roster({listed("alpha", token('a')), listed("faulty", std::nullopt)},
                        {enrolled("beta", token('b')), enrolled("gone", std::nullopt)});
}

CallerVerdict check(const std::string& id, const std::string& its_token) {
    return check_caller(sample(), id, its_token);
}

} // namespace

TEST_CASE("the roster holds listed and enrolled tenants") {
    const auto roster = sample();
    REQUIRE(roster.size() == 4);
    const auto& alpha = roster.at(label("alpha"));
    CHECK(alpha.kind == TenantKind::listed);
    CHECK(alpha.hostname == name("alpha.example"));
    CHECK(alpha.cluster);
    CHECK(alpha.market);
    CHECK(alpha.relay_zone == name("acme.losos.cfd"));
    CHECK(alpha.enrolment_rank == 0);
    const auto& beta = roster.at(label("beta"));
    CHECK(beta.kind == TenantKind::enrolled);
    CHECK_FALSE(beta.cluster);
    CHECK_FALSE(beta.market);
    CHECK(beta.relay_zone == std::nullopt);
}

TEST_CASE("the operator's row wins over an enrolled one of the same id") {
    const auto roster =
        merge_roster({listed("alpha", token('a'))}, {enrolled("alpha", token('b'))});
    REQUIRE(roster.size() == 1);
    CHECK(roster.at(label("alpha")).kind == TenantKind::listed);
    CHECK(roster.at(label("alpha")).hostname == name("alpha.example"));
    CHECK(check_caller(roster, "alpha", std::string(40, 'a')) == CallerVerdict::accepted);
    CHECK(check_caller(roster, "alpha", std::string(40, 'b')) == CallerVerdict::rejected);
}

TEST_CASE("a faulty token file does not hand an id to an enrolled box") {
    const auto roster =
        merge_roster({listed("alpha", std::nullopt)}, {enrolled("alpha", token('b'))});
    CHECK(check_caller(roster, "alpha", std::string(40, 'b')) == CallerVerdict::rejected);
}

TEST_CASE("tenants of one hostname, and one with the edge's own, are faults") {
    const auto with_hostname = [](std::string_view id, std::string_view hostname) {
        return ListedTenant{label(id), name(hostname), "/etc/token", false, false, std::nullopt};
    };
    std::vector<ListedTenant> tenants{with_hostname("a", "a.test"), with_hostname("own", "e.test")};
    CHECK(hostname_faults(tenants, std::nullopt, "t.json").empty());
    CHECK(hostname_faults(tenants, name("e.test"), "t.json") ==
          std::vector<std::string>{"\"own\" in t.json may not have e.test, the --public-host of "
                                   "this edge; give another hostname"});
    tenants.push_back(with_hostname("b", "a.test"));
    CHECK(hostname_faults(tenants, std::nullopt, "t.json") ==
          std::vector<std::string>{"\"a\" and \"b\" in t.json have one hostname, a.test, by which "
                                   "only one of them is reached; give each its own"});
    tenants.push_back(with_hostname("c", "a.test"));
    tenants.push_back(with_hostname("d", "a.test"));
    CHECK(hostname_faults(tenants, std::nullopt, "t.json")
              .front()
              .starts_with("\"a\", \"b\" and 2 more in t.json have one hostname"));
}

TEST_CASE("enrolled tenants rank by time of enrolment") {
    const auto roster =
        merge_roster({}, {enrolled("zulu", token('z')), enrolled("alpha", token('a')),
                          enrolled("mike", token('m'))});
    CHECK(roster.at(label("zulu")).enrolment_rank < roster.at(label("alpha")).enrolment_rank);
    CHECK(roster.at(label("alpha")).enrolment_rank < roster.at(label("mike")).enrolment_rank);
}

TEST_CASE("the right token is accepted, trimmed like every token") {
    CHECK(check("alpha", std::string(40, 'a')) == CallerVerdict::accepted);
    CHECK(check("beta", " " + std::string(40, 'b') + "\n") == CallerVerdict::accepted);
}

TEST_CASE("another token is rejected") {
    const std::string presented =
        GENERATE(std::string(), std::string("   "), std::string(40, 'b'), std::string(39, 'a'),
                 std::string(41, 'a'), std::string(40, 'A'), std::string(20, 'a'),
                 std::string(40, 'a') + std::string(2000, 'a'),
                 std::string(40, 'a') + std::string(1, '\0'), std::string("\xff\xff"));
    CHECK(check("alpha", presented) == CallerVerdict::rejected);
}

TEST_CASE("a tenant without a sound token is rejected whatever is presented") {
    const auto* id = GENERATE("faulty", "gone");
    CHECK(check(id, "") == CallerVerdict::rejected);
    CHECK(check(id, std::string(40, 'a')) == CallerVerdict::rejected);
    CHECK(check(id, "the token that nobody holds and that opens nothing at all") ==
          CallerVerdict::rejected);
}

TEST_CASE("an id in no list is unknown whatever is presented") {
    const auto* id = GENERATE("nobody", "", "ALPHA", "alpha ", "acme.mattbox", "-");
    CHECK(check(id, "") == CallerVerdict::unknown);
    CHECK(check(id, std::string(40, 'a')) == CallerVerdict::unknown);
    CHECK(check(id, "the token that nobody holds and that opens nothing at all") ==
          CallerVerdict::unknown);
}

TEST_CASE("rows in ascending order find who vouches for them") {
    const auto roster = sample();
    VoucherWalk vouchers(roster);
    // A hyphen sorts before a dot and a digit after it, so other tenants stand between these.
    CHECK(vouchers.voucher_of(row_id("aaa")) == nullptr);
    CHECK(vouchers.voucher_of(row_id("alpha")) == &roster.at(label("alpha")));
    CHECK(vouchers.voucher_of(row_id("alpha-2")) == nullptr);
    CHECK(vouchers.voucher_of(row_id("alpha.box")) == &roster.at(label("alpha")));
    CHECK(vouchers.voucher_of(row_id("alpha.box-2")) == &roster.at(label("alpha")));
    CHECK(vouchers.voucher_of(row_id("beta")) == &roster.at(label("beta")));
    CHECK(vouchers.voucher_of(row_id("beta.box")) == &roster.at(label("beta")));
    CHECK(vouchers.voucher_of(row_id("cesar.box")) == nullptr);
    CHECK(vouchers.voucher_of(row_id("gone")) == &roster.at(label("gone")));
    CHECK(vouchers.voucher_of(row_id("zulu")) == nullptr);
}
