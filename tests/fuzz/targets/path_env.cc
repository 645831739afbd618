// edge-path.env, and the format of KEY=VALUE lines below it.
#include "check.h"
#include "target.h"

#include "base/env_file.h"
#include "core/path_env.h"

namespace losos::fuzz {
namespace {

void check_pairs(std::string_view input) {
    const auto pairs = parse_env(input);
    if (!pairs) {
        check_sentence(pairs.error().what);
        return;
    }
    std::string text;
    for (const auto& [key, value] : *pairs) {
        FUZZ_CHECK(!key.empty() && value.find('\n') == std::string::npos);
        text.append(key).append("=").append(value).append("\n");
    }
    const auto again = parse_env(text);
    FUZZ_CHECK(again && *again == *pairs);
}

void run(std::string_view input) {
    check_pairs(input);
    const auto path = check_codec(input, parse_edge_path,
                                  [](const EdgePath& each) { return *render_edge_path(each); });
    if (path) {
        FUZZ_CHECK(*parse_edge_path(*render_edge_path(*path)) == *path);
        FUZZ_CHECK(needs_no_quoting(path->noise_pub_file));
    }
}

const Known k_known({"path-env", "edge-path.env", k_file, "edge-path-env/*.env", run});

} // namespace
} // namespace losos::fuzz
