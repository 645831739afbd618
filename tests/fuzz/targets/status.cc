// status.json.
#include "check.h"
#include "target.h"

#include "files/status_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto status = check_codec(input, status_file::parse, status_file::render);
    if (status) {
        const auto pulse = status_file::parse_pulse(input);
        FUZZ_CHECK(pulse && pulse->boot_id == status->boot_id);
        judge_live_list(true, *pulse, status->boot_id, MonotonicTime(1));
    } else if (const auto pulse = status_file::parse_pulse(input); !pulse) {
        check_error(pulse.error(), input);
    }
}

const Known k_known({"status", "status.json", k_file, "status/*.json", run});

} // namespace
} // namespace losos::fuzz
