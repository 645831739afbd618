// The Date header of another machine's answer.
#include "check.h"
#include "target.h"

#include "core/http_date.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto time = parse_http_date(input);
    FUZZ_CHECK(time == parse_http_date(input));
    if (time) {
        const auto text = render_utc(*time);
        // All but a leap second is shown as it stood.
        FUZZ_CHECK(input.substr(23, 2) == "60" || input.substr(17, 8) == text.substr(11, 8));
        FUZZ_CHECK(input.substr(23, 2) == "60" || input.substr(12, 4) == text.substr(0, 4));
    }
}

const Known k_known({"http-date", "dates in HTTP", 64, "", run});

} // namespace
} // namespace losos::fuzz
