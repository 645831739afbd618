// losos-uplink(8).
#include "pass.h"
#include "uplink_options.h"

#include "base/tool_main.h"
#include "files/paths.h"

using namespace losos;

namespace {

constexpr const char* k_tool = "losos-uplink";

Result<void> run(int argc, char** argv) {
    Options options(k_tool, "hand the boxes served here on to a hub: one pass",
                    std::string(k_config_dir));
    UplinkOptions uplink;
    add_uplink_flags(options.root(), uplink);
    TRY_ASSIGN(const auto chosen, options.parse(argc, argv));
    if (chosen.done) {
        return {};
    }
    return run_passes(uplink);
}

} // namespace

int main(int argc, char** argv) {
    return tool_main(k_tool, [&] { return run(argc, argv); });
}
