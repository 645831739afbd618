// losos-registrar(8).
#include "check.h"
#include "enrol.h"
#include "identity_commands.h"
#include "serve.h"
#include "serve_options.h"
#include "setup_commands.h"
#include "vouch_commands.h"

#include "base/tool_main.h"
#include "files/paths.h"

using namespace losos;

namespace {

constexpr const char* k_tool = "losos-registrar";

Result<void> run(int argc, char** argv) {
    Options options(k_tool, "who may be reached through this edge, and on which port",
                    std::string(k_config_dir));
    ServeOptions serving;
    ServeOptions checking;
    RatholeOptions seeding;
    std::optional<std::string> private_key_file;
    std::optional<std::string> directory;
    std::optional<DnsLabel> id;
    IdentityOptions identity;
    VouchOptions vouch;

    add_serve_flags(
        options.command("serve", "answer boxes and gateways, and keep the edge's files"), serving);
    add_serve_flags(options.command("check", "show what serve would render, and change nothing"),
                    checking);
    add_rathole_flags(options.command("seed", "write rathole's first configuration"), seeding);
    options.command("noise keygen", "make this edge's Noise key")
        .required("--noise-private-key-file", "FILE",
                  "where the key goes; the public one beside it", private_key_file, parse_path);
    options.command("enrol list", "show the boxes that enrolled themselves")
        .required("--dir", "DIR", "the enrolment directory", directory, parse_path);
    auto& forget = options.command("enrol forget", "forget a box that enrolled itself");
    forget.required("--dir", "DIR", "the enrolment directory", directory, parse_path);
    forget.positional("ID", "the box", id, DnsLabel::parse, true);
    add_identity_commands(options, identity);
    add_vouch_commands(options, vouch);

    TRY_ASSIGN(const auto chosen, options.parse(argc, argv));
    if (chosen.done) {
        return {};
    }
    if (chosen.command == "serve") {
        TRY(check_serve_options(serving));
        return serve(serving);
    }
    if (chosen.command == "check") {
        TRY(check_serve_options(checking));
        return check(checking);
    }
    if (chosen.command == "seed") {
        return seed(seeding);
    }
    if (chosen.command == "noise keygen") {
        return noise_keygen(*private_key_file);
    }
    if (chosen.command == "enrol list") {
        return enrol_list(*directory);
    }
    if (auto outcome = run_identity_command(chosen.command, identity)) {
        return *std::move(outcome);
    }
    if (auto outcome = run_vouch_command(chosen.command, vouch)) {
        return *std::move(outcome);
    }
    return enrol_forget(*directory, *id);
}

} // namespace

int main(int argc, char** argv) {
    return tool_main(k_tool, [&] { return run(argc, argv); });
}
