#include "core/dns_json.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

std::string body(std::string_view answer) {
    return R"({"Status": 0, "Answer": [)" + std::string(answer) + "]}";
}

std::string txt(std::string_view data) {
    return body(R"({"name": "a.example", "type": 16, "TTL": 1, "data": ")" + std::string(data) +
                R"("})");
}

} // namespace

TEST_CASE("an answer is read as the big resolvers write it") {
    const auto answer = sound(parse_dns_json(R"({"Status":0,"TC":false,"RD":true,"RA":true,
        "AD":false,"CD":false,"Question":[{"name":"Cloud.example.org.","type":1}],
        "Answer":[{"name":"Cloud.example.org.","type":5,"TTL":300,"data":"Box.LOSOS.example."},
                  {"name":"box.losos.example","type":1,"TTL":300,"data":"192.0.2.7"}],
        "Comment":"from a cache"})"));
    CHECK(answer.records ==
          std::vector{record("cloud.example.org", DnsType::cname, "box.losos.example"),
                      record("box.losos.example", DnsType::a, "192.0.2.7")});
}

TEST_CASE("a name that does not exist, or has nothing of the kind, has no records") {
    const auto* text =
        GENERATE(R"({"Status": 3})", R"({"Status": 0})", R"({"Status": 0, "Answer": null})",
                 R"({"Status": 0, "Answer": []})",
                 R"({"Status": 3, "Authority": [{"name": "a", "data": 7}]})");
    CHECK(sound(parse_dns_json(text)).records.empty());
}

TEST_CASE("what is no answer says nothing about the domain") {
    const std::string text = GENERATE(
        std::string(), std::string("{}"), std::string("[]"), std::string("null"),
        std::string("<html>"), std::string(R"({"Status": 2})"), std::string(R"({"Status": 5})"),
        std::string(R"({"Status": "0"})"), std::string(R"({"Status": -1})"),
        std::string(R"({"Status": 0.5})"), std::string(R"({"Status": 0, "TC": true})"),
        std::string(R"({"Status": 0, "TC": 1})"), std::string(R"({"Status": 0, "Answer": {}})"),
        std::string(R"({"Status": 0, "Answer": "a"})"), body("null"), body("7"), body("{}"),
        body(R"({"name": "a", "type": 16})"), body(R"({"name": "a", "data": "b"})"),
        body(R"({"type": 16, "data": "b"})"), body(R"({"name": "a", "type": "16", "data": "b"})"),
        body(R"({"name": "a", "type": 16, "data": ["b"]})"),
        body(R"({"name": "a", "type": 99999, "data": "b"})"), txt("\xff"),
        std::string(R"({"Status": 0, "Status": 3})"));
    CAPTURE(text);
    CHECK_FALSE(parse_dns_json(text).has_value());
}

TEST_CASE("a flood of records is no answer") {
    std::string records;
    for (int i = 0; i < 256; ++i) {
        records += R"({"name": "a", "type": 46, "data": "x"},)";
    }
    CHECK(parse_dns_json(body(records.substr(0, records.size() - 1))).has_value());
    CHECK_FALSE(
        parse_dns_json(body(records + R"({"name": "a", "type": 46, "data": "x"})")).has_value());
}

TEST_CASE("a text is what its strings say together, in quotes or without") {
    const auto [data, text] = GENERATE(table<std::string, std::string>({
        {"losos-domain-v1=00", "losos-domain-v1=00"},
        {R"(\"losos-domain-v1=00\")", "losos-domain-v1=00"},
        {R"(\"losos-\" \"domain-v1=00\")", "losos-domain-v1=00"},
        {R"(\"losos-\"\"domain-v1=00\")", "losos-domain-v1=00"},
        {R"(\"a\\\"b\\\\c\")", R"(a"b\c)"},
        {R"(\"a\\065b\")", "aAb"},
        {R"(\"a\\06\")", "a06"},
        {R"(\"open)", "open"},
        {R"(\"end\\)", "end\\"},
        {R"(\"\")", ""},
        {"", ""},
        {R"(\")", ""},
        {"a\\\\b", "a\\b"},
    }));
    CAPTURE(data);
    const auto answer = sound(parse_dns_json(txt(data)));
    CHECK(answer.records == std::vector{record("a.example", DnsType::txt, text)});
}

TEST_CASE("records count at the name asked for and at what it stands for") {
    const DnsAnswer answer{{record("b.example", DnsType::cname, "c.example"),
                            record("c.example", DnsType::a, "192.0.2.1"),
                            record("a.example", DnsType::cname, "b.example"),
                            record("x.example", DnsType::a, "192.0.2.66"),
                            record("c.example", DnsType::aaaa, "2001:db8::1")}};
    CHECK(aliases_of(answer, "a.example") ==
          std::vector<std::string>{"a.example", "b.example", "c.example"});
    CHECK(data_at(answer, "a.example", DnsType::a) == std::vector<std::string>{"192.0.2.1"});
    CHECK(data_at(answer, "a.example", DnsType::txt).empty());
    CHECK(data_at(answer, "y.example", DnsType::a).empty());
}

TEST_CASE("names that stand for each other, or for ever more, come to an end") {
    const DnsAnswer circle{{record("a", DnsType::cname, "b"), record("b", DnsType::cname, "a")}};
    CHECK(aliases_of(circle, "a") == std::vector<std::string>{"a", "b"});
    const DnsAnswer self{{record("a", DnsType::cname, "a")}};
    CHECK(aliases_of(self, "a") == std::vector<std::string>{"a"});
    DnsAnswer endless;
    for (int i = 0; i < 100; ++i) {
        endless.records.push_back(record(std::to_string(i), DnsType::cname, std::to_string(i + 1)));
    }
    CHECK(aliases_of(endless, "0").size() == 16);
}

TEST_CASE("a resolver is asked at its own path") {
    const auto url = sound(DnsCheckUrl::parse("https://DNS.example:8443/Dns-Query"));
    CHECK(url.text() == "https://dns.example:8443/Dns-Query");
    CHECK(url.server().endpoint().host() == "dns.example");
    CHECK(url.path_of({"_losos-challenge.a.example", DnsType::txt}) ==
          "/Dns-Query?name=_losos-challenge.a.example&type=TXT");
    CHECK(url.path_of({"a.example", DnsType::aaaa}) == "/Dns-Query?name=a.example&type=AAAA");
    CHECK(sound(DnsCheckUrl::parse("http://127.0.0.1:8053")).path_of({"a.b", DnsType::cname}) ==
          "/?name=a.b&type=CNAME");
    CHECK(sound(DnsCheckUrl::parse("http://127.0.0.1:8053/")).path_of({"a.b", DnsType::a}) ==
          "/?name=a.b&type=A");
}

TEST_CASE("what is no resolver's URL is refused") {
    const std::string bad = GENERATE(
        std::string(), std::string("dns.example"), std::string("ftp://dns.example/"),
        std::string("https://dns.example/q?a=b"), std::string("https://dns.example/q#a"),
        std::string("https://me@dns.example/q"), std::string("https://dns.example/a b"),
        std::string("https://dns.example/\n"), std::string("https:///q"),
        std::string("https://dns.example/{?dns}"), "https://dns.example/" + std::string(2000, 'a'));
    CAPTURE(bad);
    CHECK_FALSE(DnsCheckUrl::parse(bad).has_value());
}
