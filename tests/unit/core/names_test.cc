#include "core/names.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

TEST_CASE("a DNS label is 1 to 63 of a-z, 0-9 and hyphen") {
    const std::string longest(63, 'a');
    const auto* good = GENERATE("a", "0", "mattbox", "a-b", "a--b", "xn--bcher-kva", "123");
    CHECK(label(good).text() == good);
    CHECK(label(longest).text() == longest);
}

TEST_CASE("what is no DNS label is refused") {
    const std::string bad = GENERATE(
        std::string(), std::string("-a"), std::string("a-"), std::string("-"), std::string("A"),
        std::string("a_b"), std::string("a.b"), std::string("a "), std::string("b\xc3\xbc"),
        std::string("a\0b", 3), std::string("a\n"), std::string(64, 'a'), std::string(100000, 'a'));
    const auto parsed = DnsLabel::parse(bad);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what.find("DNS label") != std::string::npos);
    CHECK(parsed.error().what.size() < 120);
}

TEST_CASE("a DNS name is folded to lower case") {
    CHECK(name("MattBox.ACME.losos.cfd").text() == "mattbox.acme.losos.cfd");
    CHECK(name("localhost").text() == "localhost");
    CHECK(name("Acme.Example") == name("acme.example"));
}

TEST_CASE("a DNS name has at most 253 characters") {
    const std::string label63(63, 'a');
    const auto three = label63 + "." + label63 + "." + label63 + ".";
    CHECK(DnsName::parse(three + std::string(61, 'b')).has_value());
    CHECK_FALSE(DnsName::parse(three + std::string(62, 'b')).has_value());
    CHECK_FALSE(DnsName::parse(std::string(1000000, 'A')).has_value());
}

TEST_CASE("what is no DNS name is refused") {
    const auto* bad =
        GENERATE("", ".", "a.", ".a", "a..b", "a.-b", "a_b.c", "*.a", "a b.c", "a.b:80",
                 "b\xc3\xbc"
                 "cher.example");
    CHECK_FALSE(DnsName::parse(bad).has_value());
}

TEST_CASE("a name is under a zone only with exactly one label more") {
    const auto zone = name("acme.losos.cfd");
    CHECK(name("mattbox.acme.losos.cfd").is_one_label_under(zone));
    CHECK_FALSE(name("a.mattbox.acme.losos.cfd").is_one_label_under(zone));
    CHECK_FALSE(name("acme.losos.cfd").is_one_label_under(zone));
    CHECK_FALSE(name("mattboxacme.losos.cfd").is_one_label_under(zone));
    CHECK_FALSE(name("mattbox.other.losos.cfd").is_one_label_under(zone));
    CHECK_FALSE(name("localhost").is_one_label_under(zone));
}

TEST_CASE("a direct row is keyed by its id alone") {
    const auto id = RowId::direct(label("mattbox"));
    CHECK(id.text() == "mattbox");
    CHECK_FALSE(id.is_relayed());
    CHECK_FALSE(id.spoke().has_value());
    CHECK(id.box() == label("mattbox"));
}

TEST_CASE("a relayed row is keyed by spoke and box") {
    const auto id = RowId::relayed(label("acme"), label("mattbox"));
    CHECK(id.text() == "acme.mattbox");
    CHECK(id.is_relayed());
    CHECK(id.spoke() == label("acme"));
    CHECK(id.box() == label("mattbox"));
    CHECK(id == row_id("acme.mattbox"));
}

TEST_CASE("a row's key is one label or two and nothing else") {
    const auto* bad = GENERATE("", ".", "a.", ".a", "a.b.c", "A", "a.B", "a b", "-.a", "a/b");
    CHECK_FALSE(RowId::parse(bad).has_value());
}
