// live.json.
#include "check.h"
#include "target.h"

#include "core/relay_api.h"
#include "core/uplink_plan.h"
#include "files/live_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto boxes = check_codec(input, live_file::parse, live_file::render);
    if (boxes) {
        const auto selection = select_for_relay(*boxes);
        FUZZ_CHECK(selection.sent.size() <= k_relay_max);
        FUZZ_CHECK(selection.sent.size() + selection.left_out.size() == boxes->size());
    }
}

const Known k_known({"live", "live.json", k_file, "live/*.json", run});

} // namespace
} // namespace losos::fuzz
