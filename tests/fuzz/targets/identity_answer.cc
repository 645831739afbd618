// What an edge answers to GET /identity, and what a box makes of it.
#include "check.h"
#include "target.h"

#include "core/identity_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto answer = check_codec(input, parse_identity_answer, render_identity_answer);
    const auto root = IdentityPublicKey::parse(
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    const auto dialled = HttpUrl::parse("https://edge.losos.example");
    const auto nonce = IdentityNonce::parse("00112233445566778899aabbccddeeff");
    const UnixTime now(1'799'000'000);
    const auto finding =
        find_identity(*root, EdgeAnswer{200, std::string(input)}, *dialled, *nonce, now);
    FUZZ_CHECK(answer.has_value() == (finding.verdict != IdentityVerdict::malformed));
    FUZZ_CHECK(finding.certificate.has_value() == (finding.verdict == IdentityVerdict::official));
    if (answer) {
        FUZZ_CHECK(judge_identity(*root, *answer, *dialled, *nonce, now) == finding.verdict);
        FUZZ_CHECK(judge_identity(std::nullopt, *answer, *dialled, *nonce, now) ==
                   IdentityVerdict::no_root_key);
    }
    if (finding.certificate) {
        FUZZ_CHECK(finding.certificate->url.url() == *dialled);
        FUZZ_CHECK(!has_expired(*finding.certificate, now));
    }
}

const Known k_known({"identity-answer", "answers to /identity", k_body, "identity-answer/*.json",
                     run});

} // namespace
} // namespace losos::fuzz
