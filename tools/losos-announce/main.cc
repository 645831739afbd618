// losos-announce(8).
#include "announce_options.h"
#include "announcer.h"

#include "base/tool_main.h"
#include "files/paths.h"

using namespace losos;

namespace {

constexpr const char* k_tool = "losos-announce";

Result<void> run(int argc, char** argv) {
    Options options(k_tool, "keep this box registered with its edge", std::string(k_config_dir));
    AnnounceOptions announcing;
    add_announce_flags(options.root(), announcing);
    TRY_ASSIGN(const auto chosen, options.parse(argc, argv));
    if (chosen.done) {
        return {};
    }
    TRY_ASSIGN(const auto announcer, Announcer::make(announcing));
    return announcing.once ? announcer->run_once() : announcer->run();
}

} // namespace

int main(int argc, char** argv) {
    return tool_main(k_tool, [&] { return run(argc, argv); });
}
