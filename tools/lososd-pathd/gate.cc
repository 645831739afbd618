#include "gate.h"

#include "base/format.h"
#include "files/document.h"
#include "files/edge_file.h"
#include "files/paths.h"

namespace losos {

Result<GateKind> parse_gate(std::string_view text) {
    if (text == "sharing") {
        return GateKind::sharing;
    }
    if (text == "market") {
        return GateKind::market;
    }
    return fail(Errc::usage, "must be sharing or market");
}

Result<void> ask_gate(GateKind kind, const std::string& run_dir) {
    const auto path = in_directory(run_dir, k_edge_json);
    TRY_ASSIGN(const auto edges, document::with_remedy(edge_file::load(path), edge_file::k_remedy));
    if (!edges) {
        return fail(Errc::unusable,
                    "{} is missing, so nothing is known of this box's edges; start "
                    "lososd-pathd serve",
                    path);
    }
    const bool is_sharing = kind == GateKind::sharing;
    const auto gate = is_sharing ? judge_sharing(*edges) : judge_market(*edges);
    if (!gate.open) {
        return fail(Errc::refused, "{}: {}",
                    is_sharing ? "sharing cannot be turned on" : "the market is not available",
                    gate.reason);
    }
    return {};
}

} // namespace losos
