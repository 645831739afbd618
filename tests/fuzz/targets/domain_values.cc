// Custom domains, UUIDs, accounts, resolvers' URLs and the serial of a zone, one text each.
#include "check.h"
#include "target.h"

#include "core/dns_json.h"
#include "core/domain_claim.h"
#include "core/domain_proof.h"
#include "core/zone_text.h"

namespace losos::fuzz {
namespace {

void check_domain(std::string_view input) {
    const auto domain = check_text<CustomDomain>(input);
    if (!domain) {
        return;
    }
    FUZZ_CHECK(proof_name_of(*domain).size() <= 253);
    FUZZ_CHECK(domain->text().find('.') != std::string::npos);
    FUZZ_CHECK(!IpAddress::parse(domain->text()));
}

void run(std::string_view input) {
    check_domain(input);
    if (const auto uuid = check_text<BoxUuid>(input)) {
        FUZZ_CHECK(zone_label_of(*uuid).text().size() == 16);
    }
    if (const auto account = check_text<AccountId>(input)) {
        check_sentence(account->text());
    }
    if (const auto url = check_text<DnsCheckUrl>(input)) {
        check_sentence(url->path_of({"a.example", DnsType::a}));
    }
    if (const auto status = parse_claim_status(input)) {
        FUZZ_CHECK(text_of(*status) == input);
    }
    if (const auto problem = parse_domain_problem(input)) {
        FUZZ_CHECK(text_of(*problem) == input);
    }
    if (const auto serial = parse_zone_serial(input)) {
        FUZZ_CHECK(comes_after(next_serial(serial, UnixTime(0)), *serial));
    }
}

const Known k_known({"domain-values", "names and keys of domains", k_line, "", run});

} // namespace
} // namespace losos::fuzz
