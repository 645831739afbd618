// Relay passes before the hub that may have made them: `<box> <pass>`.
#include "check.h"
#include "target.h"

#include "core/relay_bindings.h"

namespace losos::fuzz {
namespace {

constexpr UnixTime k_now{1'800'000'000};

void check_key(std::string_view input) {
    if (const auto key = RelayPassKey::parse(input)) {
        FUZZ_CHECK(key->reveal().size() == 64);
        FUZZ_CHECK(key->same_as(*RelayPassKey::parse(key->reveal())));
    }
}

/// A list of the one box binds it exactly when the pass is the one the hub makes itself.
void check_pass(const DnsLabel& box, const RelayPass& pass) {
    const auto key = *RelayPassKey::parse(std::string(64, '7'));
    bool made_here = false;
    for (int age = 0; age < 3; ++age) {
        made_here = made_here || key.pass_for(box, k_now - UnixTime(age * 3600)) == pass;
    }
    FUZZ_CHECK((key.check(box, pass, k_now) == PassVerdict::good) == made_here);
    Bindings bindings;
    const auto news =
        judge_passes(bindings, *DnsLabel::parse("acme"), {{box, pass, false}}, {}, key, k_now);
    FUZZ_CHECK(bindings.contains(box) == made_here);
    FUZZ_CHECK(news.refused.empty() == made_here);
}

void run(std::string_view input) {
    check_key(input);
    const auto blank = input.find(' ');
    const auto box = DnsLabel::parse(input.substr(0, blank));
    if (blank == std::string_view::npos || !box) {
        return;
    }
    if (const auto pass = RelayPass::parse(input.substr(blank + 1))) {
        check_pass(*box, *pass);
    }
}

const Known k_known({"passes", "passes before their hub", k_line, "", run});

} // namespace
} // namespace losos::fuzz
