#include "core/zone_text.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

#include <algorithm>
#include <random>

using namespace losos;
using namespace losos::make;

namespace {

constexpr UnixTime k_now{1'800'000'000};

ZoneRules rules() {
    return {name("losos.example"),
            {name("ns1.losos.example"), name("ns2.elsewhere.example")},
            name("hostmaster.losos.example"),
            {address("2001:db8::7"), address("192.0.2.7")}};
}

ZoneContent content() {
    return {true,
            {name("4bc6f6e69a9f040f.losos.example"), name("acme.losos.example"),
             name("box.acme.losos.example"), name("acme.losos.example"), name("anna.other.example"),
             name("xlosos.example")},
            {}};
}

bool holds(const std::string& text, std::string_view line) {
    return text.find("\n" + std::string(line) + "\n") != std::string::npos;
}

} // namespace

TEST_CASE("every name in the zone leads to every address of the edge, and no other name is there") {
    const auto text = render_zone(rules(), content(), 7);
    for (const auto* host : {"losos.example", "ns1.losos.example", "acme.losos.example",
                             "box.acme.losos.example", "4bc6f6e69a9f040f.losos.example"}) {
        CHECK(holds(text, std::string(host) + ". IN A 192.0.2.7"));
        CHECK(holds(text, std::string(host) + ". IN AAAA 2001:db8::7"));
    }
    CHECK(text.find("other.example. IN A") == std::string::npos);
    CHECK(text.find("elsewhere.example. IN A") == std::string::npos);
    CHECK(text.find("xlosos") == std::string::npos);
    CHECK(holds(text, "losos.example. IN NS ns1.losos.example."));
    CHECK(holds(text, "losos.example. IN NS ns2.elsewhere.example."));
}

TEST_CASE("a zone of an edge that is not official is SOA, NS and glue") {
    auto bare = content();
    bare.official = false;
    bare.challenge_zones = {name("acme.losos.example")};
    const auto text = render_zone(rules(), bare, 7);
    CHECK(std::count(text.begin(), text.end(), '\n') == 2 + 6 + 2 + 2);
    CHECK(holds(text, "ns1.losos.example. IN A 192.0.2.7"));
    CHECK_FALSE(holds(text, "losos.example. IN A 192.0.2.7"));
    CHECK(text.find("acme") == std::string::npos);
}

TEST_CASE("a wildcard's proof is delegated, where its zone is in this one") {
    auto with = content();
    with.challenge_zones = {name("acme.losos.example"), name("other.example")};
    const auto text = render_zone(rules(), with, 7);
    CHECK(holds(text, "_acme-challenge.acme.losos.example. IN NS ns1.losos.example."));
    CHECK(text.find("_acme-challenge.other") == std::string::npos);
}

TEST_CASE("the same names give the same bytes in any order") {
    auto shuffled = content();
    auto turned = rules();
    std::mt19937 random(3); // NOLINT(cert-msc51-cpp): the same orders each time
    const auto text = render_zone(rules(), content(), 7);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(shuffled.hosts.begin(), shuffled.hosts.end(), random);
        std::reverse(turned.addresses.begin(), turned.addresses.end());
        CHECK(render_zone(turned, shuffled, 7) == text);
    }
}

TEST_CASE("a serial is read back from the text it stands in") {
    const auto serial = GENERATE(0U, 1U, 1'800'000'000U, 0x7fffffffU, 0xffffffffU);
    CHECK(parse_zone_serial(render_zone(rules(), content(), serial)) == serial);
    CHECK(parse_zone_serial(render_zone(rules(), {}, serial)) == serial);
}

TEST_CASE("a text without a serial has none") {
    const auto* text = GENERATE("", " ; serial\n", "\n ; serial\n", "\n    ; serial\n",
                                "\n 12x ; serial\n", "\n -1 ; serial\n", "\n 4294967296 ; serial\n",
                                "\n 7 ; serial", "losos.example. IN SOA a. b. (\n 7 ; refresh\n");
    CAPTURE(text);
    CHECK(parse_zone_serial(text) == std::nullopt);
    CHECK(parse_zone_serial("\n 7 ; serial\n") == 7U);
}

TEST_CASE("a serial is the time of the change, or one more than the last") {
    CHECK(next_serial(std::nullopt, k_now) == 1'800'000'000U);
    CHECK(next_serial(1'700'000'000U, k_now) == 1'800'000'000U);
    CHECK(next_serial(1'799'999'999U, k_now) == 1'800'000'000U);
    CHECK(next_serial(1'800'000'000U, k_now) == 1'800'000'001U);
    CHECK(next_serial(1'800'000'500U, k_now) == 1'800'000'501U);
}

TEST_CASE("serials go round, as RFC 1982 has them") {
    CHECK(comes_after(1, 0));
    CHECK(comes_after(0, 0xffffffffU));
    CHECK(comes_after(44, 0xffffffffU));
    CHECK_FALSE(comes_after(0xffffffffU, 44));
    CHECK_FALSE(comes_after(7, 7));
    CHECK_FALSE(comes_after(0x80000000U, 0));
    CHECK_FALSE(comes_after(0, 0x80000000U));
    CHECK(next_serial(0xffffffffU, UnixTime(0xffffffffLL)) == 0U);
    CHECK(next_serial(0xffffffffU, UnixTime(0x100000000LL)) == 0U);
    CHECK(next_serial(0xfffffff0U, UnixTime(0x100000005LL)) == 5U);
    CHECK(next_serial(5U, UnixTime(0xfffffff0LL)) == 6U);
}

TEST_CASE("whatever the clock does, each serial comes after the one before") {
    std::mt19937_64 random(11); // NOLINT(cert-msc51-cpp): the same steps each time
    ZoneSerial serial = 0;
    long long now = k_now.count();
    for (int i = 0; i < 20'000; ++i) {
        switch (random() % 4) {
        case 0:
            now = static_cast<long long>(random() % 0x200000000ULL);
            break;
        case 1:
            now -= static_cast<long long>(random() % 100'000);
            break;
        default:
            now += static_cast<long long>(random() % 100);
        }
        const auto next = next_serial(serial, UnixTime(now));
        CAPTURE(serial, now, next);
        REQUIRE(comes_after(next, serial));
        serial = next;
    }
}

TEST_CASE("an unchanged zone keeps its text, a changed one gets the next serial") {
    const auto first = plan_zone(rules(), content(), std::nullopt, std::nullopt, k_now);
    CHECK(first.serial == 1'800'000'000U);
    const auto same =
        plan_zone(rules(), content(), first.text, std::nullopt, k_now + UnixTime(100));
    CHECK(same.text == first.text);
    CHECK(same.serial == first.serial);
    auto more = content();
    more.hosts.push_back(name("new.losos.example"));
    const auto stepped_back =
        plan_zone(rules(), more, first.text, std::nullopt, k_now - UnixTime(86'400));
    CHECK(stepped_back.serial == 1'800'000'001U);
    CHECK(stepped_back.text != first.text);
}

TEST_CASE("a file that went or was spoilt does not take the serial back") {
    const auto standing = GENERATE(std::optional<std::string>(), std::optional<std::string>("x"));
    const auto plan = plan_zone(rules(), content(), standing, 1'900'000'000U, k_now);
    CHECK(plan.serial == 1'900'000'001U);
    CHECK(plan_zone(rules(), content(), standing, std::nullopt, k_now).serial == 1'800'000'000U);
    const auto old = render_zone(rules(), {}, 1'700'000'000U);
    CHECK(plan_zone(rules(), content(), old, 1'900'000'000U, k_now).serial == 1'900'000'001U);
}

TEST_CASE("a name settles three seconds after it came, and at once where it stood before") {
    const MonotonicTime now{1000};
    const auto old = name("acme.losos.example");
    const auto fresh = name("new.losos.example");
    ZoneSettling zone;
    CHECK_FALSE(zone.is_settled(old, now));
    zone.follow({old, fresh}, render_zone(rules(), content(), 7), now);
    CHECK(zone.is_settled(old, now));
    CHECK_FALSE(zone.is_settled(fresh, now));
    CHECK(zone.next(now) == now + Duration(3000));
    zone.follow({old, fresh}, std::nullopt, now + Duration(2000));
    CHECK_FALSE(zone.is_settled(fresh, now + Duration(2999)));
    CHECK(zone.is_settled(fresh, now + Duration(3000)));
    CHECK(zone.next(now + Duration(3000)) == std::nullopt);
    zone.follow({}, std::nullopt, now);
    zone.follow({old}, render_zone(rules(), content(), 7), now);
    CHECK_FALSE(zone.is_settled(old, now));
}
