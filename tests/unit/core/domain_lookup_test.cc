#include "core/domain_lookup.h"

#include "unit/core/make_domains.h"

#include "support/catch.h"

#include <map>

using namespace losos;
using namespace losos::make;

namespace {

const std::string k_name = "cloud.example.org";
const std::string k_proof_name = "_losos-challenge.cloud.example.org";
const std::string k_proof = "losos-domain-v1=684bfc3e38aa88bfa7bb7b9fe279d01b";
const std::string k_target = "4bc6f6e69a9f040f.losos.example";

/// What a resolver answers to each type; a type that is missing gets no answer.
using Resolver = std::map<DnsType, DnsAnswer>;

DomainFinding look_up(const Resolver& resolver, int* questions = nullptr) {
    DomainLookup lookup(
        {domain(k_name), k_proof, name(k_target), {address("192.0.2.7"), address("2001:db8::7")}});
    int asked = 0;
    while (const auto question = lookup.next()) {
        CHECK(question->name == (question->type == DnsType::txt ? k_proof_name : k_name));
        const auto answer = resolver.find(question->type);
        lookup.take(answer == resolver.end() ? std::nullopt : std::optional(answer->second));
        REQUIRE(++asked <= 4);
    }
    if (questions != nullptr) {
        *questions = asked;
    }
    return lookup.finding();
}

DnsAnswer texts(const std::vector<std::string>& all) {
    DnsAnswer answer;
    for (const auto& text : all) {
        answer.records.push_back(record(k_proof_name, DnsType::txt, text));
    }
    return answer;
}

DnsAnswer at_name(DnsType type, const std::vector<std::string>& all) {
    DnsAnswer answer;
    for (const auto& data : all) {
        answer.records.push_back(record(k_name, type, data));
    }
    return answer;
}

DnsAnswer nothing() {
    return {};
}

DnsAnswer alias() {
    return at_name(DnsType::cname, {k_target});
}

} // namespace

TEST_CASE("the right text and a CNAME to the box's name are right, in two questions") {
    int questions = 0;
    const auto finding = look_up(
        {{DnsType::txt, texts({"v=spf1", k_proof})}, {DnsType::cname, alias()}}, &questions);
    CHECK(finding == k_right);
    CHECK(judge_finding(finding) == FindingVerdict::right);
    CHECK(questions == 2);
}

TEST_CASE("the proof has to be there letter by letter") {
    const std::string wrong =
        GENERATE(std::string(), k_proof + " ", "losos-domain-v1=", k_proof + "0",
                 std::string("LOSOS-DOMAIN-V1=684BFC3E38AA88BFA7BB7B9FE279D01B"),
                 std::string("v=spf1 -all"));
    const auto finding = look_up({{DnsType::txt, texts({wrong})}, {DnsType::cname, alias()}});
    CHECK(finding.txt == TxtFinding::wrong);
    CHECK(judge_finding(finding) == FindingVerdict::wrong);
}

TEST_CASE("without a text the proof is missing, and where the domain points is still found out") {
    const auto finding = look_up({{DnsType::txt, nothing()}, {DnsType::cname, alias()}});
    CHECK(finding == DomainFinding{TxtFinding::missing, PointingFinding::here});
    CHECK(judge_finding(finding) == FindingVerdict::wrong);
}

TEST_CASE("a proof behind an alias counts") {
    const DnsAnswer answer{{record(k_proof_name, DnsType::cname, "proofs.example.net"),
                            record("proofs.example.net", DnsType::txt, k_proof)}};
    CHECK(look_up({{DnsType::txt, answer}, {DnsType::cname, alias()}}) == k_right);
}

TEST_CASE("a proof at another name does not count") {
    const DnsAnswer answer{{record("_losos-challenge.example.org", DnsType::txt, k_proof)}};
    CHECK(look_up({{DnsType::txt, answer}}).txt == TxtFinding::missing);
}

TEST_CASE("where a domain points, by its records") {
    struct Row {
        const char* name;
        Resolver resolver;
        PointingFinding finding;
    };
    const DnsAnswer chain{{record(k_name, DnsType::cname, "www.example.org"),
                           record("www.example.org", DnsType::cname, k_target),
                           record(k_target, DnsType::a, "203.0.113.9")}};
    const std::vector<Row> rows = {
        {"A to the edge",
         {{DnsType::cname, nothing()},
          {DnsType::a, at_name(DnsType::a, {"192.0.2.7"})},
          {DnsType::aaaa, nothing()}},
         PointingFinding::here},
        {"AAAA to the edge, in another spelling",
         {{DnsType::cname, nothing()},
          {DnsType::a, nothing()},
          {DnsType::aaaa, at_name(DnsType::aaaa, {"2001:DB8:0:0:0:0:0:7"})}},
         PointingFinding::here},
        {"A to the edge and to somebody else",
         {{DnsType::cname, nothing()},
          {DnsType::a, at_name(DnsType::a, {"192.0.2.7", "203.0.113.9"})},
          {DnsType::aaaa, nothing()}},
         PointingFinding::elsewhere},
        {"A to the edge, AAAA to somebody else",
         {{DnsType::cname, nothing()},
          {DnsType::a, at_name(DnsType::a, {"192.0.2.7"})},
          {DnsType::aaaa, at_name(DnsType::aaaa, {"2001:db8::9"})}},
         PointingFinding::elsewhere},
        {"A to the edge, no answer about AAAA",
         {{DnsType::cname, nothing()}, {DnsType::a, at_name(DnsType::a, {"192.0.2.7"})}},
         PointingFinding::no_answer},
        {"A to somebody else is enough",
         {{DnsType::a, at_name(DnsType::a, {"203.0.113.9"})}},
         PointingFinding::elsewhere},
        {"nothing at all",
         {{DnsType::cname, nothing()}, {DnsType::a, nothing()}, {DnsType::aaaa, nothing()}},
         PointingFinding::elsewhere},
        {"an alias of an alias, seen on the way to the address",
         {{DnsType::cname, at_name(DnsType::cname, {"www.example.org"})}, {DnsType::a, chain}},
         PointingFinding::here},
        {"an alias to somebody else",
         {{DnsType::cname, at_name(DnsType::cname, {"other.losos.example"})},
          {DnsType::a, nothing()},
          {DnsType::aaaa, nothing()}},
         PointingFinding::elsewhere},
        {"an address that is none",
         {{DnsType::cname, nothing()},
          {DnsType::a, at_name(DnsType::a, {"192.0.2.7.", ""})},
          {DnsType::aaaa, nothing()}},
         PointingFinding::elsewhere},
        {"no answer but about the alias",
         {{DnsType::cname, nothing()}},
         PointingFinding::no_answer},
        {"no answer", {}, PointingFinding::no_answer},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(look_up(row.resolver).pointing == row.finding);
    }
}

TEST_CASE("a finding with a gap is open, but what is wrong in it is wrong") {
    using enum PointingFinding;
    CHECK(judge_finding({TxtFinding::right, no_answer}) == FindingVerdict::open);
    CHECK(judge_finding({TxtFinding::no_answer, here}) == FindingVerdict::open);
    CHECK(judge_finding(k_silence) == FindingVerdict::open);
    CHECK(judge_finding({TxtFinding::no_answer, elsewhere}) == FindingVerdict::wrong);
    CHECK(judge_finding({TxtFinding::wrong, no_answer}) == FindingVerdict::wrong);
    CHECK(judge_finding({TxtFinding::right, elsewhere}) == FindingVerdict::wrong);
}

TEST_CASE("a lookup cut short knows what it has heard") {
    DomainLookup lookup({domain(k_name), k_proof, name(k_target), {}});
    CHECK(lookup.finding() == k_silence);
    lookup.take(texts({k_proof}));
    CHECK(lookup.finding() == DomainFinding{TxtFinding::right, PointingFinding::no_answer});
}
