// The bodies of POST /cluster/join, its answers, and compute-windows.json.
#include "check.h"
#include "target.h"

#include "core/cluster_api.h"
#include "files/compute_windows_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    if (const auto call = check_codec(input, parse_cluster_join_call, render_cluster_join_call)) {
        FUZZ_CHECK(is_zone_shaped(call->window.tz));
        FUZZ_CHECK(call->window.window_start.empty() == call->window.window_end.empty());
    }
    static_cast<void>(check_codec(input, parse_cluster_join_answer, render_cluster_join_answer));
    if (const auto nodes = compute_windows_file::parse(input)) {
        const auto text = compute_windows_file::render(*nodes);
        const auto again = compute_windows_file::parse(text);
        FUZZ_CHECK(again.has_value() && compute_windows_file::render(*again) == text);
    }
}

const Known k_known({"cluster", "joins and compute windows", k_body, "", run});

} // namespace
} // namespace losos::fuzz
