// lososd-pathd(8).
#include "client_config.h"

#include "base/tool_main.h"
#include "files/paths.h"

using namespace losos;

namespace {

constexpr const char* k_tool = "lososd-pathd";

Result<void> run(int argc, char** argv) {
    Options options(k_tool, "a box's path to an edge", std::string(k_config_dir));
    ClientConfigOptions client;
    add_client_config_flags(
        options.command("client-config", "write the tunnel's configuration for rathole"), client);
    TRY_ASSIGN(const auto chosen, options.parse(argc, argv));
    if (chosen.done) {
        return {};
    }
    return write_client_config(client);
}

} // namespace

int main(int argc, char** argv) {
    return tool_main(k_tool, [&] { return run(argc, argv); });
}
