// Durations, and the kernel's load.
#include "check.h"
#include "target.h"

#include "base/duration.h"
#include "core/idleness.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto duration = check_codec(input, parse_duration, render_duration);
    if (duration) {
        FUZZ_CHECK(duration->count() > 0);
    }
    if (const auto idle = judge_idle(input, 4)) {
        FUZZ_CHECK(!*idle || *judge_idle(input, 8));
        FUZZ_CHECK(!judge_idle(input, 0));
    }
}

const Known k_known({"durations", "durations and loads", 128, "", run});

} // namespace
} // namespace losos::fuzz
