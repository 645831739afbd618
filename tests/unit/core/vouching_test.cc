#include "core/vouching.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

TEST_CASE("a UUID is one whatever the case of its digits") {
    CHECK(sound(BoxUuid::parse("5E1B7D0C-3A55-4C8E-9D52-1F0A7C3E9B10")).text() == k_uuid);
    const std::string bad = GENERATE(std::string(), std::string("5e1b7d0c3a554c8e9d521f0a7c3e9b10"),
                                     std::string("5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b1"),
                                     std::string("5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b100"),
                                     std::string("5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b1g"),
                                     std::string("5e1b7d0c-3a55-4c8e-9d521-f0a7c3e9b10"),
                                     std::string("{5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b1}"),
                                     std::string("5e1b7d0c_3a55_4c8e_9d52_1f0a7c3e9b10"),
                                     std::string("5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b1\n"),
                                     std::string(36, '-'), std::string(36, 'a'));
    CHECK_FALSE(BoxUuid::parse(bad).has_value());
}

TEST_CASE("an account is a line of at most 128 bytes") {
    CHECK(AccountId::parse("acct_1Abc").has_value());
    CHECK(AccountId::parse("Z\xc3\xbcrich 7").has_value());
    CHECK(AccountId::parse(std::string(128, 'a')).has_value());
    const std::string bad =
        GENERATE(std::string(), std::string(129, 'a'), std::string("a\nb"), std::string("a\x7f"),
                 std::string("\xff"), std::string("a\0b", 3), std::string("\xc2\x85"));
    CHECK_FALSE(AccountId::parse(bad).has_value());
}

TEST_CASE("only a seller who is ready and known in full is vouched for") {
    const auto account = voucher().account_id;
    const auto uuid = voucher().box_uuid;
    VouchList list;
    list.sellers = {{label("anna"), {account, true, uuid}},
                    {label("ben"), {account, false, uuid}},
                    {label("cleo"), {account, true, std::nullopt}},
                    {label("dan"), {std::nullopt, true, uuid}}};
    CHECK(vouchers_of(list) == Vouchers{{label("anna"), voucher()}});
}

TEST_CASE("machines that two boxes are vouched for are named with the first by id") {
    CHECK(
        shared_uuids({{label("anna"), voucher()}, {label("ben"), voucher(k_other_uuid)}}).empty());
    const auto shared = shared_uuids({{label("anna"), voucher()},
                                      {label("ben"), voucher(k_other_uuid)},
                                      {label("cleo"), voucher(k_uuid, "acct_2")},
                                      {label("dan"), voucher(k_other_uuid)},
                                      {label("zoe"), voucher()}});
    CHECK(shared == std::vector<SharedUuid>{{label("anna"), {label("cleo"), label("zoe")}},
                                            {label("ben"), {label("dan")}}});
    CHECK(describe(shared[0]) ==
          "cleo, 1 more and anna have one box_uuid, so their name in the zone leads to anna alone; "
          "give each box the UUID of its own machine");
    CHECK(describe(shared[1]).starts_with("dan and ben have one box_uuid, "));
}
