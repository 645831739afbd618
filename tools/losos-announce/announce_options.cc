#include "announce_options.h"

#include "base/format.h"
#include "files/paths.h"

namespace losos {

namespace {

Result<IdleMode> parse_idle_mode(std::string_view text) {
    if (text == "auto") {
        return IdleMode::measured;
    }
    if (text == "yes") {
        return IdleMode::yes;
    }
    if (text == "no") {
        return IdleMode::no;
    }
    if (text == "off") {
        return IdleMode::off;
    }
    return fail(Errc::usage, "must be auto, yes, no or off");
}

} // namespace

std::string AnnounceOptions::path_env_file() const {
    return path_env ? *path_env : in_directory(run_dir, k_edge_path_env);
}

std::string AnnounceOptions::pass_file() const {
    return relay_pass_file ? *relay_pass_file : in_directory(run_dir, k_relay_pass);
}

std::string AnnounceOptions::announced_file() const {
    return in_directory(run_dir, k_announced);
}

std::string AnnounceOptions::refused_file() const {
    return in_directory(run_dir, k_refused);
}

void add_announce_flags(Command& command, AnnounceOptions& options) {
    command.required("--appliance-id", "ID", "this box's id", options.appliance_id,
                     DnsLabel::parse);
    command.required("--hostname", "NAME", "the name visitors type", options.hostname,
                     DnsName::parse);
    command.value("--token-file", "FILE", "the secret that proves this box", options.token_file,
                  parse_path, std::string(k_proxy_token));
    command.optional("--path-env", "FILE",
                     "the path to the edge; not given, edge-path.env in the run directory",
                     options.path_env, parse_path);
    command.optional("--registrar-url", "URL", "the edge while there is no such file",
                     options.registrar_url, HttpUrl::parse);
    command.value("--heartbeat-interval", "DURATION", "how often the edge hears of this box",
                  options.heartbeat_interval, parse_duration, "30s");
    command.optional("--relay-pass-file", "FILE",
                     "the relay pass; not given, relay-pass in the run directory",
                     options.relay_pass_file, parse_path);
    command.value("--run-dir", "DIR", "where announced.json and refused.json go", options.run_dir,
                  parse_path, std::string(k_box_run_dir));
    command.value("--idle", "auto|yes|no|off",
                  "whether this box has processors to spare: auto says so while the load of the "
                  "last minute is below 0.3 for each of them, off says nothing",
                  options.idle, parse_idle_mode, "auto");
    command.add_switch("--once", "register once, and end with how that went", options.once);
}

} // namespace losos
