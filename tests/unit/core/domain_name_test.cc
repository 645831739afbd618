#include "core/domain_name.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

#include <random>
#include <string>
#include <utility>

using namespace losos;
using namespace losos::make;

namespace {

std::string labels(std::size_t length) {
    std::string name;
    while (name.size() + 63 < length) {
        name += std::string(62, 'a') + ".";
    }
    name += std::string(length - name.size(), 'b');
    return name;
}

std::string fault_of(std::string_view text) {
    const auto parsed = CustomDomain::parse(text);
    return parsed ? std::string() : parsed.error().what;
}

} // namespace

TEST_CASE("a custom domain is lower-cased and loses one dot at its end") {
    const auto [text, name] = GENERATE(
        table<std::string, std::string>({{"cloud.example.org", "cloud.example.org"},
                                         {"Cloud.EXAMPLE.org.", "cloud.example.org"},
                                         {"xn--bcher-kva.example", "xn--bcher-kva.example"},
                                         {"XN--BCHER-KVA.example", "xn--bcher-kva.example"},
                                         {"a.b", "a.b"},
                                         {"1.2.3.4.example", "1.2.3.4.example"},
                                         {"1password.com", "1password.com"},
                                         {"3com.net", "3com.net"},
                                         {"r2-d2.example", "r2-d2.example"}}));
    CHECK(domain(text).text() == name);
}

TEST_CASE("what is no custom domain is refused, and the reason helps") {
    const auto [text, part] =
        GENERATE(table<std::string, std::string>({{"", "labels"},
                                                  {".", "labels"},
                                                  {"..", "labels"},
                                                  {"localhost", "two labels"},
                                                  {"localhost.", "two labels"},
                                                  {"example.org..", "labels"},
                                                  {".example.org", "labels"},
                                                  {"a..example.org", "labels"},
                                                  {"-a.example.org", "labels"},
                                                  {"a-.example.org", "labels"},
                                                  {"a_b.example.org", "labels"},
                                                  {"_losos-challenge.example.org", "labels"},
                                                  {"a b.example.org", "labels"},
                                                  {"a.example.org\n", "labels"},
                                                  {std::string("a.example.org\0b", 15), "labels"},
                                                  {"a`.example.org", "labels"},
                                                  {"https://a.example.org", "labels"},
                                                  {"a.example.org:443", "labels"},
                                                  {"a.example.org/", "labels"},
                                                  {"me@example.org", "labels"},
                                                  {"*.example.org", "wildcard"},
                                                  {"a.*.example.org", "wildcard"},
                                                  {"*", "wildcard"},
                                                  {"192.0.2.1", "IP address"},
                                                  {"192.0.2.1.", "IP address"},
                                                  {"1.2", "IP address"},
                                                  {"0x7f.0x1", "IP address"},
                                                  {"a.0x", "IP address"},
                                                  {"example.123", "IP address"},
                                                  {"2001:db8::1", "IP address"},
                                                  {"::", "IP address"},
                                                  {"[2001:db8::1]", "labels"},
                                                  {"b\xc3\xbc"
                                                   "cher.example",
                                                   "xn--"},
                                                  {"\xff.example", "xn--"},
                                                  {"\xef\xbc\x8e.example", "xn--"},
                                                  {"ab--c.example", "xn--"},
                                                  {"example.zz--z", "xn--"},
                                                  {std::string(64, 'a') + ".example", "labels"},
                                                  {labels(237), "236"},
                                                  {labels(253), "236"},
                                                  {labels(254), "labels"},
                                                  {labels(255), "236"},
                                                  {std::string(100000, 'a'), "236"}}));
    CAPTURE(text);
    CHECK(fault_of(text).find(part) != std::string::npos);
}

TEST_CASE("the longest domain still leaves room for its proof") {
    const auto longest = labels(236);
    CHECK(std::string(k_challenge_prefix).size() + domain(longest).text().size() == 253);
    CHECK(domain(longest + ".").text() == longest);
}

TEST_CASE("whatever is accepted is a name that would be accepted again as it is") {
    std::mt19937 random(20261130); // NOLINT(cert-msc51-cpp): the same texts each time
    const std::string_view alphabet = "aZ0-.*x\xc3 _:";
    std::uniform_int_distribution<std::size_t> pick(0, alphabet.size() - 1);
    int accepted = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        const auto length = static_cast<std::size_t>(round % 9);
        for (std::size_t i = 0; i < length; ++i) {
            text += alphabet[pick(random)];
        }
        const auto parsed = CustomDomain::parse(text);
        if (!parsed) {
            continue;
        }
        ++accepted;
        CAPTURE(text);
        CHECK(domain(parsed->text()) == *parsed);
        CHECK(parsed->text().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") ==
              std::string::npos);
        CHECK(parsed->text().find('.') != std::string::npos);
    }
    CHECK(accepted > 30);
}

TEST_CASE("a name is under a zone only at a dot") {
    const auto zone = name("losos.example");
    CHECK(is_at_or_under(name("losos.example"), zone));
    CHECK(is_at_or_under(name("a.losos.example"), zone));
    CHECK(is_at_or_under(name("a.b.losos.example"), zone));
    CHECK_FALSE(is_at_or_under(name("alosos.example"), zone));
    CHECK_FALSE(is_at_or_under(name("example"), zone));
    CHECK_FALSE(is_at_or_under(name("losos.example.org"), zone));
}

TEST_CASE("the edge's own names cover what is under its trees, and single hosts") {
    const OwnNames own{{name("losos.example"), name("boxes.example")}, {name("www.example")}};
    CHECK(own.cover(name("a.b.losos.example")));
    CHECK(own.cover(name("boxes.example")));
    CHECK(own.cover(name("www.example")));
    CHECK_FALSE(own.cover(name("a.www.example")));
    CHECK_FALSE(own.cover(name("example.org")));
    CHECK_FALSE(OwnNames{}.cover(name("losos.example")));
}
