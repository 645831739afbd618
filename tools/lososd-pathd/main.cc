// lososd-pathd(8).
#include "client_config.h"
#include "gate.h"
#include "serve.h"

#include "base/tool_main.h"
#include "files/paths.h"

using namespace losos;

namespace {

constexpr const char* k_tool = "lososd-pathd";

Result<void> run(int argc, char** argv) {
    Options options(k_tool, "a box's path to an edge", std::string(k_config_dir));
    ServeOptions serving;
    ClientConfigOptions client;
    std::optional<GateKind> kind;
    std::string run_dir;
    add_serve_flags(options.command("serve", "find edges, choose one, and write the path to it"),
                    serving);
    add_client_config_flags(
        options.command("client-config", "write the tunnel's configuration for rathole"), client);
    auto& gate = options.command("gate", "say whether sharing or the market may be turned on");
    gate.positional("GATE", "sharing or market", kind, parse_gate, true);
    gate.value("--run-dir", "DIR", "where edge.json is", run_dir, parse_path,
               std::string(k_box_run_dir));

    TRY_ASSIGN(const auto chosen, options.parse(argc, argv));
    if (chosen.done) {
        return {};
    }
    if (chosen.command == "serve") {
        TRY(check_serve_options(serving));
        return serve(serving);
    }
    if (chosen.command == "gate") {
        return ask_gate(*kind, run_dir);
    }
    return write_client_config(client);
}

} // namespace

int main(int argc, char** argv) {
    return tool_main(k_tool, [&] { return run(argc, argv); });
}
