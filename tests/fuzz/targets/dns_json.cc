// What a resolver answers about somebody's domain. Nothing of ours renders it, so it is written
// here; whatever it says, a lookup comes to an end and to a verdict.
#include "check.h"
#include "target.h"

#include "base/json_writer.h"
#include "core/domain_lookup.h"

namespace losos::fuzz {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + '"';
}

std::string render(const DnsAnswer& answer) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.whole("Status", 0);
    json.key("Answer").begin_array();
    for (const DnsRecord& record : answer.records) {
        const bool is_text = record.type == static_cast<int>(DnsType::txt);
        json.begin_object();
        json.text("name", record.name + ".");
        json.whole("type", record.type);
        json.text("data", is_text ? quoted(record.data) : record.data);
        json.end_object();
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

void look_up(const DnsAnswer& answer) {
    DomainLookup lookup({CustomDomain::parse("cloud.example.org").value(),
                         "losos-domain-v1=00",
                         DnsName::parse("4bc6f6e69a9f040f.losos.example").value(),
                         {IpAddress::parse("192.0.2.7").value()}});
    int questions = 0;
    while (lookup.next()) {
        lookup.take(answer);
        FUZZ_CHECK(++questions <= 4);
    }
    const auto finding = lookup.finding();
    FUZZ_CHECK(finding.txt != TxtFinding::no_answer);
    FUZZ_CHECK(finding.pointing != PointingFinding::no_answer);
    FUZZ_CHECK(judge_finding(finding) != FindingVerdict::open);
    FUZZ_CHECK(aliases_of(answer, "cloud.example.org").size() <= 16);
}

void run(std::string_view input) {
    const auto answer = parse_dns_json(input);
    FUZZ_CHECK(answer.has_value() == parse_dns_json(input).has_value());
    if (!answer) {
        check_error(answer.error(), input);
        return;
    }
    const auto again = parse_dns_json(render(*answer));
    FUZZ_CHECK(again.has_value() && again->records.size() == answer->records.size());
    look_up(*answer);
}

const Known k_known({"dns-json", "answers of resolvers", k_body, "", run});

} // namespace
} // namespace losos::fuzz
