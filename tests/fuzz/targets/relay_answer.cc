// What a hub answers to /relay, and what a gateway makes of it.
#include "check.h"
#include "target.h"

#include "core/uplink_plan.h"
#include "core/uplink_record.h"

namespace losos::fuzz {
namespace {

constexpr std::size_t k_longest_reason = 256;

void check_use(const RelayAnswer& answer) {
    const DnsLabel spoke = *DnsLabel::parse("acme");
    const Token token = *Token::parse("acme-acme-acme-acme-acme-acme-acme");
    const std::vector<LiveBox> sent{
        {*DnsLabel::parse("mattbox"), *DnsName::parse("mattbox.acme.losos.cfd"),
         *Port::from_number(20000), std::nullopt},
        {*DnsLabel::parse("annabox"), *DnsName::parse("annabox.acme.losos.cfd"),
         *Port::from_number(20001), std::nullopt}};

    const auto kept = keep_what_was_asked(answer, sent);
    FUZZ_CHECK(kept.accepted.size() + kept.refused.size() <= sent.size());
    for (const auto& box : kept.refused) {
        FUZZ_CHECK(box.reason.size() <= k_longest_reason);
        FUZZ_CHECK(box.reason.find_first_of("\r\n") == std::string::npos);
    }
    FUZZ_CHECK(compare_refusals(kept.refused, kept).refused.empty());

    const auto services = services_after_answer(spoke, token, sent, answer);
    FUZZ_CHECK(services.size() == kept.accepted.size());
    const auto text = render_rathole_client(
        {*Endpoint::parse("losos.cfd:2333"), std::nullopt, std::nullopt}, services);
    const auto read_back = parse_rathole_client_services(text);
    FUZZ_CHECK(read_back && read_back->size() == services.size());
}

void run(std::string_view input) {
    const auto answer = check_codec(input, parse_relay_answer, render_relay_answer);
    if (answer) {
        FUZZ_CHECK(answer->accepted.size() <= k_relay_max && answer->refused.size() <= k_relay_max);
        const auto again = parse_relay_answer(render_relay_answer(*answer));
        FUZZ_CHECK(again->accepted == answer->accepted && again->refused == answer->refused &&
                   again->routes == answer->routes);
        check_use(*answer);
    }
}

const Known k_known({"relay-answer", "answers to /relay", k_body, "relay-answer/*.json", run});

} // namespace
} // namespace losos::fuzz
