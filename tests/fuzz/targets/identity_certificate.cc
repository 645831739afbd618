// identity.cert.json, and what somebody gives `identity install`.
#include "check.h"
#include "target.h"

#include "core/identity_api.h"

#include <algorithm>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_signed_lines = 5;

void run(std::string_view input) {
    const auto certificate =
        check_codec(input, parse_identity_certificate, render_identity_certificate);
    if (!certificate) {
        return;
    }
    FUZZ_CHECK(*parse_identity_certificate(render_identity_certificate(*certificate)) ==
               *certificate);
    const auto text = identity_text(certificate->name, certificate->url, certificate->public_key,
                                    certificate->not_after);
    // No field can end its line and begin the next one.
    FUZZ_CHECK(std::count(text.begin(), text.end(), '\n') == k_signed_lines);
    FUZZ_CHECK(!has_expired(*certificate, certificate->not_after));
    FUZZ_CHECK(has_expired(*certificate, certificate->not_after + UnixTime(1)));
    check_sentence(render_day(certificate->not_after));
}

const Known k_known({"identity-certificate", "an edge's certificate", k_file, "identity/*.json",
                     run});

} // namespace
} // namespace losos::fuzz
